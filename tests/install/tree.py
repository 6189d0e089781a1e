"""tree.py BUILD SOURCE FOLDER: installs a build into FOLDER/first and moves the tree to FOLDER/moved.

Installed text files must not contain the path of the build, of the source, or of the first installation."""

import pathlib
import shutil
import subprocess
import sys


def main(build, source, folder):
    shutil.rmtree(folder, ignore_errors=True)
    first, moved = folder / "first", folder / "moved"
    subprocess.run(["cmake", "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
    first.rename(moved)
    texts = [path for suffix in ("cmake", "hpp") for path in moved.rglob(f"*.{suffix}")]
    bound = [f"{path}: names {place}" for path in texts for place in (build, source, first) if str(place) in path.read_text()]
    for path in ("bin/stencil_run", "share/bash-completion/completions/stencil_run", "include/stencil/stencil.hpp", "share/doc/stencil/LICENSE",
                 "share/doc/stencil/docs/library.md"):
        if not (moved / path).is_file():
            bound.append(f"{path}: not installed")
    print("\n".join(bound) or f"{len(texts)} headers and CMake files are installed, and can be moved")
    return 1 if bound else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: tree.py BUILD SOURCE FOLDER")
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
