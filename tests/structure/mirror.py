"""mirror.py ROOT: checks that tests have the folders and names of the sources that they test.

A source of framework, kernels, io, drivers or python has a test of its name in the same folder below tests:
tests/framework/grid/box_test.cpp tests framework/grid/box.cpp. A source that other tests exercise is listed in covered_by.txt under
one of these tests. A test that is not named after a source is listed there with the sources that it exercises. Headers are treated as
sources if they contain code and there is no source of their name.

covered_by.txt has a line for each test, and under it an indented line for each source; the text after a colon says how the source is
exercised. Sources that no test exercises are listed under `nothing`, with the reason.
"""

import pathlib
import re
import sys

from layers import code_of

TOPS = ("framework", "kernels", "io", "drivers", "python", "examples/strategies")
LIST = "tests/structure/covered_by.txt"
NOTHING = "nothing"
SOURCE, HEADER = (".cpp", ".cu"), (".hpp", ".cuh")
# The body of a function after its parameters; a declaration ends in a semicolon instead.
BODY = re.compile(r"\)[\w\s]*(->[^;{}]*)?(:[^;{}]*)?\{\s*[^\s}]")


def sources(texts):
    """The files that need a test. texts: {path: text}."""
    compiled = {path.rpartition(".")[0] for path in texts if path.endswith(SOURCE)}
    return [path for path, text in texts.items()
            if path.endswith(SOURCE) or path.rpartition(".")[0] not in compiled and BODY.search(code_of(text))]


def own_test(path):
    """The path of the test that has a source's name."""
    return f"tests/{path.rpartition('.')[0]}_test.cpp"


def covered(text):
    """Returns the list of covered_by.txt as {test: [sources]}, and complaints about its lines."""
    blocks, test, wrong = {}, None, []
    for number, line in enumerate(text.splitlines(), 1):
        name = line.partition(":")[0].strip()
        if not name or name.startswith("#"):
            continue
        if not line[0].isspace():
            test = name
        if test is None or not line[0].isspace() and test in blocks or line[0].isspace() and name in blocks[test]:
            wrong.append(f"{LIST}:{number}: {name} is listed without a test above it, or for the second time")
        elif line[0].isspace():
            blocks[test].append(name)
        else:
            blocks[test] = []
    return blocks, wrong


def violations(texts, tests, blocks):
    """Violations of the rule, as lines. texts: {path: text} of all sources; tests: paths of all tests; blocks: the list."""
    needing, found = sources(texts), []
    listed = {source for names in blocks.values() for source in names}
    for path in needing:
        if path not in listed and own_test(path) not in tests:
            found.append(f"{path}: no test: write {own_test(path)}, or say in {LIST} which test exercises it")
    for test, names in blocks.items():
        found += [] if test in (NOTHING, *tests) else [f"{LIST}: there is no {test}"]
        found += [] if names else [f"{LIST}: {test} is listed without a source"]
        found += [f"{LIST}: {source} is not a source that holds code" for source in names if source not in needing]
    named = {own_test(path) for path in texts} | set(blocks)
    folders = {own_test(path).rpartition("/")[0] for path in texts} | {f"tests/{top}" for top in TOPS}
    for test in tests:
        if test.endswith("_test.cpp") and test.startswith(tuple(f"tests/{top}/" for top in TOPS)):
            if test not in named:
                found.append(f"{test}: no source has its name: say in {LIST} which ones it exercises")
            if test.rpartition("/")[0] not in folders:
                found.append(f"{test}: no source lies in such a folder")
    return found


def main(root):
    texts = {path.relative_to(root).as_posix(): path.read_text() for top in TOPS
             for path in sorted((root / top).rglob("*")) if path.suffix in SOURCE + HEADER}
    tests = [path.relative_to(root).as_posix() for path in sorted((root / "tests").rglob("*")) if path.is_file()]
    blocks, found = covered((root / LIST).read_text())
    found += violations(texts, tests, blocks) if texts else [f"no source found under {root}; is it the project's root?"]
    print("\n".join(found) or f"{len(sources(texts))} sources have a test or a word on why not, each test a source")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: mirror.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
