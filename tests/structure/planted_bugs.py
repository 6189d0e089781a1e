"""Plants the bugs of bug_table.py, one at a time, in a copy of the source. The quick run of the tests must find each of them.

    planted_bugs.py list SOURCE BUILD          checks that each bug can be planted: its old text occurs once, and its tests exist
    planted_bugs.py plant SOURCE BUILD [PART...]    plants all bugs, or the bugs in files whose names contain a PART; builds the
                                               programs of their tests in BUILD/planted, and runs the tests, one of which must fail
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

from bug_table import BUGS

LEAST = 30


def tests_of(build):
    """Returns {name: properties and command} for the tests of the quick run in a build folder. CTest does not list the command of a
    program that is not built yet, so the command is read from the files that CMake has written."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "--label-exclude", "nightly"], check=True,
                            capture_output=True, text=True).stdout
    words = {}
    for path in build.glob("tests/**/CTestTestfile.cmake"):
        for name, command in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", path.read_text(), re.M):
            words[name] = re.findall(r'"((?:\\.|[^"\\])*)"', command)
    return {test["name"]: {**test, "words": words[test["name"]]} for test in json.loads(listed)["tests"]}


def wrong_with(bug, source, tests):
    """The reasons why a bug cannot be planted, as lines."""
    path = source / bug.file
    count = path.read_text().count(bug.old) if path.is_file() else 0
    wrong = [] if count == 1 else [f"{bug.file} holds '{bug.old}' {count} times, not once: name the lines as they are now"]
    wrong += [f"{bug.file}: no quick test is called {name}" for name in bug.tests if name not in tests]
    return wrong + ([] if bug.old != bug.new and bug.tests else [f"{bug.file}: changes nothing, or no test is named"])


def listed(source, build):
    tests = tests_of(build)
    wrong = [line for bug in BUGS for line in wrong_with(bug, source, tests)]
    if len(BUGS) < LEAST:
        wrong.append(f"only {len(BUGS)} bugs, not {LEAST}")
    print("\n".join(wrong) or f"{len(BUGS)} bugs can be planted")
    return 1 if wrong else 0


def run(*words, **more):
    return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def copied(source, build):
    """Makes a copy of the files under version control, and a build folder for it that is configured like BUILD."""
    copy = build / "planted" / "source"
    files = subprocess.run(["git", "-C", source, "ls-files", "-z"], check=True, capture_output=True).stdout.decode()
    for name in filter(None, files.split("\0")):
        target = copy / name
        if (source / name).is_file() and not (target.is_file() and target.read_bytes() == (source / name).read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target)  # the copy has the present time, so that ninja builds the dependent files
    cache = (build / "CMakeCache.txt").read_text()
    launcher = re.search(r"^CMAKE_CXX_COMPILER_LAUNCHER:\w+=(.*)$", cache, re.M)
    settings = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher[1]}"] if launcher else []
    done = run("cmake", "-S", copy, "-B", copy / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTENCIL_CUDA=OFF",
               *settings)
    if done.returncode:
        sys.exit(done.stdout)
    return copy, copy / "build"


def targets_of(bug, tests, build):
    """The targets that the tests of a bug run: programs of the build, and stencil_run for tests of the whole program."""
    targets = set()
    for name in bug.tests:
        words = [*tests[name]["words"], *environment_of(tests[name]).values()]
        targets |= {pathlib.Path(word).name for word in words
                    if word.startswith((f"{build}/tests/", f"{build}/bin/")) and pathlib.Path(word).suffix == ""}
    return sorted(targets)


def environment_of(test):
    pairs = next((p["value"] for p in test["properties"] if p["name"] == "ENVIRONMENT"), [])
    return dict(pair.split("=", 1) for pair in pairs)


def plant(bug, copy, build, tests):
    """Plants a bug and restores the file at the end. Returns a complaint if the bug was not found or does not compile."""
    path = copy / bug.file
    before = path.read_text()
    path.write_text(before.replace(bug.old, bug.new))
    try:
        targets = targets_of(bug, tests, build)
        built = run("cmake", "--build", build, "--target", *targets) if targets else None
        if built and built.returncode:
            return f"does not compile:\n{built.stdout[-2000:]}"
        names = "|".join(map(re.escape, bug.tests))
        found = run("ctest", "--test-dir", build, "-R", f"^({names})$", "--no-tests=error")
        failed = re.findall(r"Test +#\d+: (\S+) \.*.*\*\*\*(?:Failed|Timeout|Exception)", found.stdout)
        print(f"{bug.layer}: {bug.file}: {'found by ' + ', '.join(failed) if failed else 'NOT FOUND'}", flush=True)
        return None if failed else f"not found by {', '.join(bug.tests)}:\n{found.stdout[-1000:]}"
    finally:
        path.write_text(before)


def planted(source, build, parts):
    copy, build = copied(source, build)
    tests = tests_of(build)
    bugs = [bug for bug in BUGS if not parts or any(part in bug.file for part in parts)]
    missed = [(bug, wrong) for bug in bugs if (wrong := plant(bug, copy, build, tests))]
    for bug, wrong in missed:
        print(f"{bug.file}: '{bug.old}' as '{bug.new}' {wrong}")
    print(f"{len(bugs) - len(missed)} of {len(bugs)} planted bugs are found")
    return 1 if missed or not bugs else 0


def main(words):
    if len(words) < 3 or words[0] not in ("list", "plant"):
        sys.exit(__doc__)
    source, build = (pathlib.Path(word).resolve() for word in words[1:3])
    return listed(source, build) if words[0] == "list" else planted(source, build, words[3:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
