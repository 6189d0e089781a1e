"""library_examples.py SOURCE FOLDER MPIEXEC SETTING...: builds the examples of the library with an installed library, as described in
their READMEs, and runs the examples on 1 and 3 ranks, with STENCIL_TEST_THOROUGH on 1, 2, 3, 4 and 6 ranks.

Every file that an example writes is the same for any number of ranks. The plot.py of an example compares its result with SciPy or
NumPy, if the packages that plot.py needs are installed."""

import os
import pathlib
import shutil
import subprocess
import sys

RANKS = (1, 2, 3, 4, 6) if "STENCIL_TEST_THOROUGH" in os.environ else (1, 3)
# the arguments of each program and of its plot.py; the number of steps is small, so that rounding differences to NumPy stay small
WORDS = {"library_filter": [], "library_heat": [], "library_gray_scott": ["200"]}


def run(*words, folder=None):
    subprocess.run([str(word) for word in words], check=True, cwd=folder, timeout=300)


def results_of(program, words, ranks, mpiexec):
    """The files that the program writes on a number of ranks, by name."""
    folder = program.parent / f"on_{ranks}"
    folder.mkdir()
    run(mpiexec, "--oversubscribe", "--bind-to", "none", "--timeout", "120", "-n", ranks, program, *words, folder=folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def python_that_plots():
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy, scipy, matplotlib, h5py"], capture_output=True).returncode == 0:
            return python
    return None


def main(source, folder, mpiexec, settings):
    shutil.rmtree(folder, ignore_errors=True)
    problems = []
    python = python_that_plots()
    for name, words in WORDS.items():
        example, build = source / "examples" / name, folder / name
        run("cmake", "-S", example, "-B", build, "-G", "Ninja", *settings)
        run("cmake", "--build", build)
        alone, *others = (results_of(build / name, words, ranks, mpiexec) for ranks in RANKS)
        for ranks, found in zip(RANKS[1:], others):
            problems += [f"{name}: {file} differs on {ranks} ranks" for file in alone if found.get(file) != alone[file]]
        if not alone:
            problems.append(f"{name} writes nothing")
        if python:
            run(python, example / "plot.py", *words, folder=build / "on_1")
    print("\n".join(problems) or f"{len(WORDS)} examples, the same files on {RANKS} ranks")
    if not python:
        print("no Python with numpy, scipy, matplotlib and h5py: not compared with them")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: library_examples.py SOURCE FOLDER MPIEXEC SETTING...")
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
