"""Plants violations, and checks that tidy.py finds them and reads the right sources."""

import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile

import tidy

wrong = []


def expect(what, found, wanted):
    if found != wanted:
        wrong.append(f"{what}: {found}, not {wanted}")


expect("arguments", tidy.clang_arguments(
    "/usr/bin/c++ -DFMT_SHARED -DVERSION=\\\"1\\\" -I/root -isystem /usr/include/mpi -O3 -Wall -mavx2 -fopenmp -std=c++20 "
    "-Winvalid-pch -include /build/cmake_pch.hxx -o a.o -c /root/a.cpp"),
    ["-DFMT_SHARED", '-DVERSION="1"', "-I/root", "-isystem", "/usr/include/mpi", "-mavx2", "-fopenmp", "-std=c++20"])

SOURCES = tidy.readable_sources(
    [{"file": file, "command": "c++"} for file in (
        "/root/io/probe.cpp", "/root/io/more.cpp", "/root/build/tests/structure/io/names.hpp.cpp", "/root/kernels/tile.cu",
        "/root/build/io/cmake_pch.hxx.cxx", "/root/framework/grid/box.cpp", "/root/build/other.cpp", "/root/tests/io/probe_test.cpp")], "/root")
expect("sources", sorted(SOURCES), ["framework/grid/box.cpp", "io/more.cpp", "io/names.hpp", "io/probe.cpp"])
with tempfile.TemporaryDirectory() as place:
    unity = pathlib.Path(place) / "Unity" / "unity_g0_cxx.cxx"
    unity.parent.mkdir()
    unity.write_text('/* by CMake */\n#include "/root/io/probe.cpp"\n\n#include "/root/io/more.cpp"\n')
    expect("sources that are compiled as one", sorted(tidy.readable_sources([{"file": str(unity), "command": "c++"}], "/root")),
           ["io/more.cpp", "io/probe.cpp"])
expect("the core", tidy.core_of(SOURCES), ["framework/grid/box.cpp"])
expect("nothing", tidy.chosen(SOURCES, [], 0), ([], []))
expect("changed", tidy.chosen(SOURCES, ["io/probe.hpp", "io/names.hpp", "io/gone.cpp", "README.md", "kernels/tile.cu"], 0),
       (["io/names.hpp", "io/probe.cpp"], []))
many = {f"io/{n}.cpp": () for n in range(9)}
expect("the first turn", tidy.chosen(many, many, 9), ([f"io/{n}.cpp" for n in range(2)], [f"io/{n}.cpp" for n in range(2, 9)]))
expect("the next turn", tidy.chosen(many, many, 10), ([f"io/{n}.cpp" for n in range(1, 3)], [f"io/{n % 9}.cpp" for n in range(3, 10)]))

program = tidy.tidy_program()
if program is None:
    print("SKIPPED: no clang-tidy 14: scripts/install_packages brings it on Debian 12")
    sys.exit(77)

SOUND = ("#include <omp.h>\n#include \"io/names.hpp\"\nint threads() { return omp_get_max_threads(); }\n", "")
BROKEN = [
    ("int* none() { return 0; }\n", "modernize-use-nullptr"),
    ("int twice(int n, int unused) { return 2 * n; }\n", "misc-unused-parameters"),
    ("int read() { int* p = nullptr; return *p; }\n", "clang-analyzer-core.NullDereference"),
    ("#include \"io/names.hpp\"\n", "modernize-use-using"),
    ("int f() { return lacking; }\n", "clang-diagnostic-error"),
]
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder).resolve()
    shutil.copy(pathlib.Path(__file__).resolve().parents[2] / ".clang-tidy", root)
    (root / "io").mkdir()
    source, header = root / "io" / "probe.cpp", root / "io" / "names.hpp"
    for text, check in (SOUND, *BROKEN):
        source.write_text(text)
        header.write_text("#pragma once\n" + ("typedef int Number;\n" if check == "modernize-use-using" else ""))
        said = tidy.findings(program, root, str(source), ["-std=c++20", "-fopenmp", f"-I{root}"])
        if check not in said or (said and not check):
            wrong.append(f"{text!r}: wanted {check or 'nothing'}, and clang-tidy says: {said}")
    (root / "compile_commands.json").write_text(json.dumps([{"file": str(source), "command": f"c++ -I{root}"}]))
    with contextlib.redirect_stdout(io.StringIO()):
        expect("a build of something else", tidy.main(root, root), 1)

print("\n".join(wrong) or f"{len(BROKEN)} planted violations found")
sys.exit(1 if wrong else 0)
