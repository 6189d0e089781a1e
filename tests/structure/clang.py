"""clang.py SOURCE FOLDER: compiles everything except CUDA by clang, in FOLDER, with warnings as errors. The exit
status is 77 if clang is not installed."""

import shutil
import subprocess
import sys


def main(source, folder):
    if not shutil.which("clang++"):
        print("SKIPPED: no clang++ (scripts/install_packages --clang brings it)")
        return 77
    for words in (["cmake", "-S", source, "--preset", "clang", "-B", folder], ["cmake", "--build", folder]):
        if status := subprocess.run(words).returncode:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
