"""Plants every kind of violation, and checks that mirror.py finds it and nothing else."""

import sys

from mirror import covered, sources, violations

CODE = "inline int one() { return 1; }"
TEXTS = {
    "framework/grid/box.hpp": "int one();",
    "framework/grid/box.cpp": "int one() { return 1; }",
    "framework/grid/error.hpp": "struct Error : Base {\n  explicit Error(int a) : Base(a), b_(a) { take(a); }\n};",
    "kernels/cuda/walk.cu": "__global__ void walk();",
    "kernels/cuda/walk.hpp": CODE,
    "kernels/cuda/sums.cuh": "template <class T>\n__device__ T sum(T a) {\n  return a;\n}",
    "kernels/cpu/walk.hpp": "using Walk = int;",
    "io/spec.hpp": "/// f(a) { a }\nstruct Spec {\n  virtual ~Spec() = default;\n  int a = f(\"() { x\");\n};",
    "drivers/bench.cpp": "int main() {}",
    "drivers/kinds.hpp": "inline constexpr int kinds[]{1, 2};\nclass Kind {\n public:\n  Kind() {}\n};",
}
NEED = ["framework/grid/box.cpp", "framework/grid/error.hpp", "kernels/cuda/walk.cu", "kernels/cuda/sums.cuh",
        "drivers/bench.cpp"]
TESTS = ["tests/framework/grid/box_test.cpp", "tests/framework/grid/error_test.cpp",
         "tests/kernels/cuda/ladder_test.cpp", "tests/scipy/sums.py", "tests/io/scratch.hpp", "tests/io/spec_test.cpp"]
LIST = """# words
tests/kernels/cuda/ladder_test.cpp: every rung
  kernels/cuda/walk.cu
  kernels/cuda/sums.cuh: by every walk

tests/scipy/sums.py
  framework/grid/box.cpp
nothing: run by hand
  drivers/bench.cpp
"""

# changes of TEXTS, TESTS and LIST, and the expected complaint of mirror.py
BROKEN = [
    ({"io/probe.cpp": "int a;"}, [], None, "io/probe.cpp: no test"),
    ({"io/probe.hpp": CODE}, [], None, "io/probe.hpp: no test"),
    ({"kernels/cuda/lines.cuh": CODE}, [], None, "kernels/cuda/lines.cuh: no test"),
    ({}, ["tests/kernels/cuda/other_test.cpp"], None, "other_test.cpp: no source has its name"),
    ({}, ["tests/framework/box_test.cpp"], None, "tests/framework/box_test.cpp: no source has its name"),
    ({"io/read/probe.cpp": "int a;"}, ["tests/io/probe_test.cpp", "tests/io/read/probe_test.cpp"], None,
     "tests/io/probe_test.cpp: no source has its name"),
    ({}, [], LIST + "  io/gone.cpp", "io/gone.cpp is not a source"),
    ({}, [], LIST + "  kernels/cpu/walk.hpp", "kernels/cpu/walk.hpp is not a source"),
    ({}, [], LIST + "tests/io/gone_test.cpp\n  framework/grid/box.cpp", "there is no tests/io/gone_test.cpp"),
    ({}, ["tests/drivers/a_test.cpp"], LIST + "tests/drivers/a_test.cpp: all", "is listed without a source"),
    ({}, ["tests/kernels/new/a_test.cpp"], LIST + "tests/kernels/new/a_test.cpp\n  kernels/cuda/walk.cu",
     "a_test.cpp: no source lies in such a folder"),
    ({}, [], "  io/a.cpp\n" + LIST, "io/a.cpp is listed without a test"),
    ({}, [], LIST + "  drivers/bench.cpp", "for the second time"),
    ({}, [], LIST + "tests/scipy/sums.py\n", "for the second time"),
]


def found_with(texts, tests, text):
    """The complaints of mirror.py about a tree with these changes."""
    blocks, wrong = covered(LIST if text is None else text)
    return wrong + violations({**TEXTS, **texts}, TESTS + tests, blocks)


wrong = [] if sources(TEXTS) == NEED else [f"not the sources that need a test: {sources(TEXTS)}"]
wrong += [f"found by mistake: {line}" for line in found_with({}, [], None)]
for texts, tests, text, words in BROKEN:
    found = found_with(texts, tests, text)
    if len(found) != 1 or words not in found[0]:
        wrong.append(f"instead of {words}: {found}")
print("\n".join(wrong) or f"{len(BROKEN)} planted violations found")
sys.exit(1 if wrong else 0)
