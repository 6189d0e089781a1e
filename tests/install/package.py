"""package.py CPACK BUILD FOLDER: packs a build for Debian, unpacks the package into a separate root folder, runs the program
from this folder, and renders its manual page. The exit status is 77 (skipped) if tools of Debian are
missing."""

import pathlib
import re
import shutil
import subprocess
import sys

TOOLS = {"dpkg-shlibdeps": "dpkg-dev", "file": "file", "help2man": "help2man", "man": "man-db"}


def text_of(*words, **settings):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **settings)


def packed(cpack, build, folder):
    """Makes the package in a new folder. Returns its path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text_of(cpack, "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder)
    package, = folder.glob("*.deb")
    return package


def words(text):
    return {word.rstrip(":").lower() for word in text.split()}


def complaints(package, root):
    """Checks the package. Returns the complaints, as lines."""
    depends = text_of("dpkg-deb", "-f", package, "Depends").stdout
    for library in ("libc6", "libhdf5-openmpi", "libopenmpi"):
        if library not in depends:
            yield f"it does not depend on {library}: {depends}"
    text_of("dpkg-deb", "-x", package, root)
    for path in ("lib/libstencil.*", "lib/cmake/Stencil/StencilConfig.cmake", "include/stencil/stencil.hpp"):
        if not list((root / "usr").glob(path.replace("lib/", "lib/**/"))):
            yield f"no {path} in it"
    program = root / "usr/bin/stencil_run"
    help_text = text_of(program, "--help").stdout
    page = text_of("man", "--warnings", "--local-file", root / "usr/share/man/man1/stencil_run.1.gz")
    if page.stderr:
        yield f"the page: {page.stderr}"
    # man hyphenates words, and help2man writes some headings in capitals
    shown = words(re.sub("\N{HYPHEN}\\s+", "", page.stdout))
    for word in words(help_text) - shown:
        yield f"the page lacks '{word}' of --help"


def main(cpack, build, folder):
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        print(f"SKIPPED: scripts/install_packages brings {' '.join(missing)}")
        return 77
    package = packed(cpack, build, folder)
    found = list(complaints(package, folder / "root"))
    print("\n".join(found) or f"{package.name} holds a program that runs, its page, and the library")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: package.py CPACK BUILD FOLDER")
    sys.exit(main(sys.argv[1], *map(pathlib.Path, sys.argv[2:])))
