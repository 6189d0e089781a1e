"""aarch64.py SOURCE FOLDER DUMP: builds the kernels and their tests for 64-bit Arm in FOLDER, runs the tests in the emulator QEMU,
and compares the bits of some hundred stencils with those that DUMP, the program bits_dump built for this machine, prints. Exits
with status 77 if there is no cross compiler or no emulator."""

import shutil
import subprocess
import sys

WANTED = {"aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu", "qemu-aarch64": "qemu-user"}
SLOW = "convolve_reach|convolve_bits|generated|limits"  # would take hours in the emulator, or do not depend on the processor


def run(*words):
    print(" ".join(words), flush=True)
    subprocess.run(words, check=True)


def lines_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def main(source, folder, dump):
    if missing := [package for program, package in WANTED.items() if not shutil.which(program)]:
        print(f"SKIPPED: no {', '.join(missing)} (scripts/install_packages --compilers brings them)")
        return 77
    run("cmake", "-S", source, "--preset", "aarch64", "-B", folder)
    run("cmake", "--build", folder)
    here, there = lines_of(dump), lines_of("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", f"{folder}/tests/bits_dump")
    wrong = [f"here  {a}\nthere {b}" for a, b in zip(here, there, strict=True) if a != b]
    print("\n".join(wrong) or f"{len(here)} stencils have the same bits")
    run("ctest", "--test-dir", folder, "-LE", "nightly", "-E", SLOW, "--output-on-failure", "--no-tests=error")
    return 1 if wrong or not here else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
