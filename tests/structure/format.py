"""format.py ROOT: every C++ and CUDA source is formatted according to .clang-format, by the release that the project uses.

The exit status is 77 (skipped) if this release is not installed, because other releases break lines differently."""

import pathlib
import re
import shutil
import subprocess
import sys

RELEASE = "14"
TOPS = ("framework", "kernels", "io", "drivers", "include", "python", "tests", "examples")
SUFFIXES = (".hpp", ".cpp", ".cu", ".cuh")


def formatter():
    """The path of this release of clang-format; None if it is not installed."""
    for name in (f"clang-format-{RELEASE}", "clang-format"):
        path = shutil.which(name)
        if path and re.search(rf"version {RELEASE}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def main(root):
    program = formatter()
    if program is None:
        print(f"SKIPPED: no clang-format {RELEASE}: scripts/install_packages brings it on Debian 12")
        return 77
    files = [path for top in TOPS for path in sorted((root / top).rglob("*")) if path.suffix in SUFFIXES]
    if len(files) < 100:
        print(f"only {len(files)} sources under {root}: is it the project's root?")
        return 1
    found = subprocess.run([program, "--dry-run", "--Werror", *files], cwd=root, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in found.stderr.splitlines() if ": error: " in line})
    print("\n".join(f"{pathlib.Path(path).relative_to(root)}: not as {program} -i makes it" for path in wrong)
          or f"{len(files)} sources are formatted")
    return 1 if wrong or found.returncode else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: format.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
