"""tidy.py ROOT BUILD [--all]: clang-tidy 14 reports nothing about the sources that were changed last.

ROOT contains .clang-tidy, BUILD the compile_commands.json of any build. Changed sources are those that differ from the commit ten
before HEAD. If there are too many, only some of them are read, and the choice differs from commit to commit. Without that commit
(in a shallow clone or an export) the core is read instead. --all reads every source of the layers. Tests and examples are not read.

The exit status is 77 (skipped) if this release is not installed, because other releases give other warnings.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

RELEASE = "14"
CORE = ("framework/grid/*.cpp", "framework/parallel/communicator.cpp", "framework/parallel/halo_exchange.cpp",
        "kernels/mask.cpp", "kernels/stencil.cpp", "drivers/pipeline/pipeline.cpp")
COMMITS_BACK = 10
LAYERS = r"(framework|kernels|io|drivers)/"
MOST_CHANGED = 2  # a source takes 5 to 20 s of one processor


def tidy_program():
    """The path of this release of clang-tidy; None if it is not installed."""
    for name in (f"clang-tidy-{RELEASE}", "clang-tidy"):
        path = shutil.which(name)
        if path and re.search(rf"version {RELEASE}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def clang_arguments(command):
    """The arguments of a command of g++ that clang needs: paths, macros, language, extensions of the processor.

    Precompiled headers of g++ (-include) cannot be read by clang, and warnings are left to the compiler.
    """
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word in ("-isystem", "-idirafter", "-iquote"):
            kept += [word, next(words)]
        elif word == "-include":
            next(words)
        elif re.match(r"-[IDU].|-std=|-m|-fopenmp", word):
            kept.append(word)
    return kept


def files_of(file):
    """The source that a command compiles, or the sources that a unity source of CMake includes."""
    if not re.search(r"/Unity/unity_\w+\.cxx$", file):
        return [file]
    return re.findall(r'^#include "([^"]+)"$', pathlib.Path(file).read_text(), re.M)


def readable_sources(commands, root):
    """{path from the root: arguments of clang} of the sources that a build compiles.

    A header without a source of its own name is compiled by a generated source of the build (stencil_headers_alone), and listed by the
    path of the header. Sources that a build compiles as one (STENCIL_UNITY) are listed one by one.
    """
    sources = {}
    for file, command in ((file, entry["command"]) for entry in commands for file in files_of(entry["file"])):
        alone = re.search(r"/tests/structure/(.*\.hpp)\.cpp$", file)
        path = alone[1] if alone else os.path.relpath(file, root)
        if file.endswith(".cpp") and re.match(LAYERS, path):  # clang 14 cannot read the project's CUDA syntax
            sources.setdefault(path, (file, clang_arguments(command)))
    return sources


def source_of(path, sources):
    """Returns the source to be read for a changed file: for x.hpp this is x.cpp, if it exists. None if the build has no such source."""
    own = re.sub(r"hpp$", "cpp", path)
    return own if own in sources else path if path in sources else None


def core_of(sources):
    return [path for path in sources if any(fnmatch.fnmatch(path, pattern) for pattern in CORE)]


def chosen(sources, changed, turn):
    """Returns at most MOST_CHANGED of the changed sources, and the changed sources that are left out."""
    rest = sorted({source_of(path, sources) for path in changed} - {None})
    start = turn % len(rest) if rest else 0
    rest = rest[start:] + rest[:start]
    return rest[:MOST_CHANGED], rest[MOST_CHANGED:]


def git(root, *words):
    """The output of git for the root; None if git fails or is not installed."""
    if shutil.which("git") is None:
        return None
    answer = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 else None


def changed_files(root):
    """Returns the files that differ from the commit COMMITS_BACK before HEAD, and a number made from HEAD; None without a history."""
    top = git(root, "rev-parse", "--show-toplevel")
    if top is None or pathlib.Path(top.strip()).resolve() != root:
        return None
    names = git(root, "diff", "--name-only", "--diff-filter=d", f"HEAD~{COMMITS_BACK}")
    return None if names is None else (names.splitlines(), int(git(root, "rev-parse", "HEAD")[:12], 16))


def findings(program, root, file, arguments):
    """The output of clang-tidy for one source; empty if it has no complaint."""
    # omp.h is a header of g++, whose folder is searched last, after all headers of clang
    own_headers = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True).stdout.strip()
    after = ["-idirafter", own_headers] if own_headers else []
    ran = subprocess.run([program, "--quiet", file, "--", *arguments, *after],
                         cwd=root, capture_output=True, text=True)
    return (ran.stdout or ran.stderr) if ran.returncode else ""


def read_all(program, root, sources, paths):
    """Reads all paths, as many at once as there are processors. Returns pairs of a path and its complaints."""
    def read(path):
        said = findings(program, root, *sources[path])
        print(f"{path}:{' ' + said.strip() if said else ' sound'}", flush=True)
        return path, said
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(read, paths))


def select(root, sources, everything):
    """The paths to be read; prints those that are left out."""
    if everything:
        return sorted(path for path in sources if path.endswith(".cpp"))  # these sources include the headers
    changes = changed_files(root)
    if changes is None:
        print(f"NOT READ: what was changed last: there is no commit {COMMITS_BACK} before HEAD here; the core instead")
        return core_of(sources)
    paths, left_out = chosen(sources, *changes)
    if left_out:
        print(f"NOT READ: {len(left_out)} more changed sources, left to structure.tidy_all: {' '.join(sorted(left_out))}")
    return paths


def main(root, build, everything=False):
    program = tidy_program()
    if program is None:
        print(f"SKIPPED: no clang-tidy {RELEASE}: scripts/install_packages brings it on Debian 12")
        return 77
    sources = readable_sources(json.loads((build / "compile_commands.json").read_text()), root)
    start = time.monotonic()
    paths = select(root, sources, everything)
    if len(core_of(sources)) < len(CORE):
        print(f"only {len(sources)} sources to read: does {build} build {root}?")
        return 1
    wrong = [path for path, said in read_all(program, root, sources, paths) if said]
    print(f"{len(paths)} sources read in {time.monotonic() - start:.0f} s, "
          + (f"{len(wrong)} with findings: {' '.join(wrong)}" if wrong else "all are sound"))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--all"]):
        sys.exit("usage: tidy.py ROOT BUILD [--all]")
    sys.exit(main(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]), sys.argv[3:] == ["--all"]))
