"""outside.py FOLDER TARGETS MPIEXEC SETTING...: builds the project in outside/, with settings of CMake's, in FOLDER, and
runs its programs (TARGETS, with commas) on 1 and 3 ranks; `plain`, which is the example of docs/library.md, by itself.

What `arrays` prints is the same for any number of ranks, and, by FOLDER/../bits, for every way of building. tree.py
empties the folder above."""

import pathlib
import shutil
import subprocess
import sys


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def printed(mpiexec, ranks, program, words):
    mpirun = [mpiexec, "--oversubscribe", "--bind-to", "none", "--timeout", "60", "-n", str(ranks)]
    return subprocess.run([*mpirun, program, *words], check=True, capture_output=True, text=True).stdout


def example_differs(source, page):
    """Whether the lines of a program from `// example` to `// end` are not on a page, indented by four spaces."""
    text = source.read_text().split("  // example\n")[1].split("  // end\n")[0]
    lines = ["    " + line[2:] if line else "" for line in text.splitlines()]
    return "\n".join(lines) not in page.read_text()


def main(folder, targets, mpiexec, settings):
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "-S", pathlib.Path(__file__).parent / "outside", "-B", folder, "-G", "Ninja", *settings)
    run("cmake", "--build", folder, "--target", *targets)
    if "plain" in targets:
        run(folder / "plain")
        outside = pathlib.Path(__file__).parent / "outside"
        page = outside.parents[2] / "docs" / "library.md"
        if example_differs(outside / "plain.cpp", page):
            print(f"the example of {page} is not that of plain.cpp")
            return 1
    outputs = set()
    for ranks in (1, 3):
        outputs.add(printed(mpiexec, ranks, folder / "arrays", []))
        if "files" in targets:
            print(printed(mpiexec, ranks, folder / "files", [folder / f"on_{ranks}.h5"]), end="")
    print(*outputs, sep="")
    bits = folder.parent / "bits"
    if bits.exists():
        outputs.add(bits.read_text())
    bits.write_text(min(outputs))
    if len(outputs) != 1:
        print("these are to be the same for 1 and 3 ranks, and for every way of building")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: outside.py FOLDER TARGETS MPIEXEC SETTING...")
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3], sys.argv[4:]))
