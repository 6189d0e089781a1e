"""outside.py FOLDER TARGETS MPIEXEC SETTING...: builds the project in outside/ in FOLDER, with the given settings of CMake, and runs
its programs (TARGETS, separated by commas) on 1 and 3 ranks; `plain` without mpirun. All C++ on the page docs/library.md must
occur in these programs.

With `objects` as TARGETS, the programs and one layer of the library are only compiled, and nothing is linked or run.

The output of `arrays` is the same for any number of ranks. It is also the same for every way of building: the file FOLDER/../bits
contains the output of the first build. tree.py empties the folder above FOLDER."""

import pathlib
import re
import shutil
import subprocess
import sys


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def printed(mpiexec, ranks, program, words):
    mpirun = [mpiexec, "--oversubscribe", "--bind-to", "none", "--timeout", "60", "-n", str(ranks)]
    return subprocess.run([*mpirun, program, *words], check=True, capture_output=True, text=True).stdout


def examples_of(source):
    """The lines of a program from each `// example` to the next `// end`, without their indentation of two spaces."""
    parts = source.read_text().split("  // example\n")[1:]
    return ["".join(line[2:] or "\n" for line in part.split("  // end\n")[0].splitlines(keepends=True)) for part in parts]


def blocks_of(page):
    """The blocks of C++ on a page, which are indented by four spaces; returned without this indentation."""
    blocks = re.findall(r"(?:^    .*\n|(?<=\n)\n(?=    ))+", page.read_text(), re.MULTILINE)
    blocks = ["".join(line[4:] or "\n" for line in block.strip("\n").splitlines(keepends=True)) + "\n" for block in blocks]
    return [block for block in blocks if re.search(r"[;{](  //.*)?$", block, re.MULTILINE)]


def untested(page, folder):
    """Blocks of C++ on a page that do not occur between the marks of any program in a folder."""
    examples = "\n".join(text for source in sorted(folder.glob("*.cpp")) for text in examples_of(source))
    blocks = blocks_of(page)
    if len(blocks) < 5:
        return [f"only {len(blocks)} examples on {page}"]
    return [f"no program in {folder} has this example of {page}:\n{block}" for block in blocks if block not in examples]


def main(folder, targets, mpiexec, settings):
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "-S", pathlib.Path(__file__).parent / "outside", "-B", folder, "-G", "Ninja", *settings)
    if targets == ["objects"]:
        objects = [f"CMakeFiles/{name}.dir/{name}.cpp.o" for name in ("arrays", "plain", "files")]
        run("cmake", "--build", folder, "--target", *objects, "stencil_grid")
        return 0
    run("cmake", "--build", folder, "--target", *targets)
    if "plain" in targets:
        run(folder / "plain")
        outside = pathlib.Path(__file__).parent / "outside"
        if missing := untested(outside.parents[2] / "docs" / "library.md", outside):
            print(*missing, sep="\n")
            return 1
    outputs = set()
    for ranks in (1, 3):
        outputs.add(printed(mpiexec, ranks, folder / "arrays", []))
        if "ranks" in targets:
            print(printed(mpiexec, ranks, folder / "ranks", []), end="")
        if "files" in targets:
            print(printed(mpiexec, ranks, folder / "files", [folder / f"on_{ranks}.h5"]), end="")
        if "job" in targets:
            print(printed(mpiexec, ranks, folder / "job", [folder / f"job_on_{ranks}"]), end="")
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
