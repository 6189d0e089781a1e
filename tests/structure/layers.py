"""layers.py ROOT: checks that the #include lines of the source obey the one-way rule: the files of a folder may include only headers of
the same folder and of folders to the right of an arrow.

    drivers/stencil_run, drivers/stencil_bench -> drivers/survey -> drivers/job -> drivers/plan -> { drivers/config | drivers/pipeline }
    drivers/job itself -> drivers/job/run -> drivers/job/prepare -> drivers/job/watch -> drivers/job/resume
    -> drivers/job/transfer -> drivers/job/report
    drivers/plan/describe -> drivers/plan/split -> drivers/plan/make -> drivers/plan/predict -> the files of drivers/plan itself
    drivers/pipeline -> kernels, framework
    python/arrays -> drivers/pipeline
    drivers -> { kernels | io } -> framework/parallel -> framework/device -> framework/grid
    io -> io/write -> io/read -> io/metadata -> io/hdf5
    kernels/bind -> kernels/cuda -> kernels/channels -> kernels/{cpu, reference, generated, method, families}
    drivers/stencil_bench -> examples/strategies -> kernels
    kernels/method -> kernels/generated (which kernels can be generated); both and kernels/families -> the files of kernels itself
    -> kernels/fft
    io/write/resume -> io/write/output -> io/write/lock -> io/write/carry -> io/write/blocks -> the files of io/write itself

`kernels` uses neither MPI nor HDF5, and `io` no CUDA. CUDA syntax is in .cu and .cuh files only, and CUDA's headers are included there
and in the .cpp files of folders named cuda. Code that calls CUDA without its syntax is a .cpp file, because nvcc takes three times as
long to compile it and ignores OpenMP.

Every x.cpp has an x.hpp beside it that declares its contents, except main.cpp and the sources in HEADER_OF.

A header has `#pragma once`, and x.cpp includes the x.hpp beside it first: compiling x.cpp then proves that x.hpp compiles alone, and
CMakeLists.txt here needs a source only for headers without an x.cpp. In io and drivers, foreign headers are precompiled, so
compiling does not prove that a header includes them: PRECOMPILED lists the names that require each of these headers.
"""

import pathlib
import re
import sys

FRAMEWORK = ("framework/grid", "framework/device", "framework/parallel")
IO = ("io/hdf5", "io/metadata", "io/read", "io/write", "io")
WRITE = ("io/write", *(f"io/write/{room}" for room in ("blocks", "carry", "lock", "output", "resume")))
# Folders of kernels. Each folder may include the folders in earlier tuples, but not the other folders of its own tuple.
KERNELS = (("kernels/fft",), ("kernels",), ("kernels/families", "kernels/reference", "kernels/cpu", "kernels/generated"),
           ("kernels/method",), ("kernels/channels",), ("kernels/cuda",), ("kernels/bind",))
BELOW_DRIVERS = (*FRAMEWORK, *sum(KERNELS, ()), *IO, *WRITE)
DRIVERS = ("drivers/config", "drivers/pipeline", "drivers/plan", "drivers/job", "drivers/survey", "drivers/stencil_run",
           "drivers/stencil_bench")
# Each folder may include the folders before it.
PLAN = ("drivers/plan", *(f"drivers/plan/{room}" for room in ("predict", "make", "split", "describe")))
JOB = (*(f"drivers/job/{room}" for room in ("report", "transfer", "resume", "watch", "prepare", "run")), "drivers/job")
# The layers that each layer may include, itself among them. A file belongs to the layer with the longest matching path.
MAY_SEE = {
    "framework/grid": FRAMEWORK[:1],
    "framework/device": FRAMEWORK[:2],
    "framework/parallel": FRAMEWORK,
    **{room: (*FRAMEWORK[:2], *sum(KERNELS[:place], ()), room) for place, rooms in enumerate(KERNELS) for room in rooms},
    # the text that is compiled at run time includes device code of kernels/cuda
    "kernels/generated": (*FRAMEWORK[:2], "kernels/fft", "kernels", "kernels/cuda", "kernels/generated"),
    "kernels/method": (*FRAMEWORK[:2], "kernels/fft", "kernels", "kernels/generated", "kernels/method"),
    "examples/strategies": (*FRAMEWORK[:2], *sum(KERNELS, ()), "examples/strategies"),
    "io/hdf5": (*FRAMEWORK, *IO[:1]),
    "io/metadata": (*FRAMEWORK, *IO[:2]),
    "io/read": (*FRAMEWORK, *IO[:3]),
    **{room: (*FRAMEWORK, *IO[:3], *WRITE[:place + 1]) for place, room in enumerate(WRITE)},
    "io": (*FRAMEWORK, *IO, *WRITE),
    "drivers/pipeline": (*FRAMEWORK, *sum(KERNELS, ()), "drivers/pipeline"),
    "python/arrays": (*FRAMEWORK[:2], *sum(KERNELS, ()), "drivers/pipeline", "python/arrays"),
    "drivers/config": (*BELOW_DRIVERS, *DRIVERS[:1]),
    **{room: (*BELOW_DRIVERS, *DRIVERS[:2], *PLAN[:place + 1]) for place, room in enumerate(PLAN)},
    **{room: (*BELOW_DRIVERS, *DRIVERS[:2], *PLAN, *JOB[:place + 1]) for place, room in enumerate(JOB)},
    "drivers/survey": (*BELOW_DRIVERS, *DRIVERS[:2], *PLAN, *JOB, "drivers/survey"),
    **{program: (*BELOW_DRIVERS, *DRIVERS[:2], *PLAN, *JOB, "drivers/survey", "examples/strategies", program)
       for program in DRIVERS[5:]},
}
MPI = re.compile(r"(mpi|mpi-ext|nccl)\.h$")
HDF5 = re.compile(r"(hdf5|hdf5_hl|H5\w+)\.h$")
CUDA = re.compile(r"(cuda|cub|thrust|cooperative_groups|nvtx|cufft|cublas).*")
# Folders in which includes must not form a loop, where x.cpp and x.hpp are treated as one file.
WITHOUT_LOOPS = ("framework/", "kernels/", "io/", "drivers/")
# Foreign libraries that a layer must not include, in any of its files.
MAY_NOT_USE = {
    "framework/grid": (MPI, HDF5, CUDA),
    "framework/device": (MPI, HDF5),
    "framework/parallel": (HDF5,),
    **{room: (MPI, HDF5) for room in (*sum(KERNELS, ()), "examples/strategies")},
    **{room: (CUDA,) for room in (*IO, *WRITE)},
    **{room: (CUDA,) for room in (*DRIVERS, *PLAN, *JOB)},
    "drivers/pipeline": (CUDA, HDF5),
    "python/arrays": (MPI, HDF5, CUDA),
}
CUDA_SYNTAX = re.compile(r"__global__|__device__|__shared__|__constant__|__grid_constant__|<<<.*>>>")
OPENMP = re.compile(r"\s*#\s*pragma\s+omp\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Sources without a header of their name: they define functions that another header declares, or nothing that other sources use.
HEADER_OF = {
    "drivers/config/key_table.cpp": "drivers/config/keys.hpp",
    "python/arrays/module.cpp": None,
    "drivers/stencil_bench/cuda_cases.cpp": None,
    "drivers/stencil_bench/cuda_kernels.cpp": None,
    "drivers/stencil_bench/cuda_steps.cpp": None,
}
# Sources of which there are two for the same header; the build determines which of the two is compiled.
ALTERNATIVE = re.compile(r"^(drivers/stencil_bench/\w+?)(_without_cuda|_absent)\.cpp$")
# Layers that are compiled with precompiled headers, and the names in a header that require each of these headers.
PRECOMPILED_IN = ("io/", "drivers/")
PRECOMPILED = {
    r"fmt/(core|format|ranges)\.h": r"\bfmt::",
    "algorithm": r"\bstd::(ranges::)?(all_of|any_of|none_of|clamp|copy\w*|count\w*|equal|fill\w*|find\w*|for_each|generate|max"
                 r"|max_element|min|min_element|remove_if|replace\w*|reverse|search|sort|stable_sort|transform|unique"
                 r"|(upper|lower)_bound)\(",
    "filesystem": r"\bstd::filesystem\b",
    "functional": r"\bstd::(function|less|greater|plus|hash|ref)\b",
    "map": r"\bstd::(multi)?map\b",
    "memory": r"\bstd::(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b",
    "optional": r"\bstd::(optional|nullopt)\b",
    "string": r"\bstd::(string|to_string)\b",
    "vector": r"\bstd::vector\b",
    # headers that the precompiled headers above include
    "array": r"\bstd::array\b",
    "chrono": r"\bstd::chrono\b",
    "stdexcept": r"\bstd::(runtime|logic)_error\b",
    "unordered_map": r"\bstd::unordered_map\b",
    "cstdint": r"\bstd::u?int(8|16|32|64|ptr)_t\b",
    "limits": r"\bstd::numeric_limits\b",
    "string(_view)?": r"\bstd::string_view\b",
    "tuple": r"\bstd::(tuple|tie|make_tuple)\b",
    "variant": r"\bstd::(variant|visit|monostate)\b",
}


def layer_of(path):
    """The layer of a path relative to the root; None for other folders."""
    return max((layer for layer in MAY_SEE if path.startswith(layer + "/")), key=len, default=None)


def violations(path, text):
    """Lines of one file that break a rule, as `path:line: message`."""
    layer = layer_of(path)
    if layer is None:
        return []
    is_cuda = path.endswith((".cu", ".cuh"))
    calls_cuda = is_cuda or "/cuda/" in path and path.endswith(".cpp")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            words = include_words(layer, calls_cuda, *include.groups())
        elif not is_cuda and CUDA_SYNTAX.search(line.split("//")[0]):
            words = "CUDA syntax belongs into a .cu or .cuh file"
        elif is_cuda and OPENMP.match(line):
            words = "nvcc passes over OpenMP: it belongs into a .cpp file"
        else:
            words = None
        if words:
            found.append(f"{path}:{number}: {words}")
    return found


def include_words(layer, calls_cuda, bracket, name):
    """Returns the complaint about one include in one layer, or None."""
    other = layer_of(name)
    if other is not None and other not in MAY_SEE[layer]:
        return f"{layer} may not include {other} ({name})"
    if other is not None or name == "include/stencil/version.hpp":
        return None  # every layer may name the version
    if bracket == '"':
        return f'"{name}" is not a path from the root: write it as "{layer}/..."'
    for library in MAY_NOT_USE[layer]:
        if library.match(name):
            return f"{layer} may not use <{name}>"
    if CUDA.match(name) and not calls_cuda:
        return f"<{name}> belongs into a .cu or .cuh file, or a .cpp file in a folder cuda"
    return None


def unproven(path, text, headers):
    """Reasons why a header might not compile alone, as a list of `path: message`."""
    if path.endswith((".hpp", ".cuh")) and "#pragma once" not in text.splitlines():
        return [f"{path}: a header needs #pragma once"]
    own = path.removesuffix(".cpp") + ".hpp"
    first = next((include[2] for include in map(INCLUDE.match, text.splitlines()) if include), None)
    if own not in headers or first == own:
        return []
    return [f"{path}: include {own} before anything else, to prove that it stands alone"]


def nameless(path, headers):
    """Returns a complaint if a source lacks a header of the same name, as a list of `path: message`."""
    if not path.endswith(".cpp") or path.startswith("kernels/cuda/") or layer_of(path) is None:
        return []
    if path in HEADER_OF or re.fullmatch(r"drivers/stencil_(run|bench)/main\.cpp", path):
        return []
    own = path.removesuffix(".cpp") + ".hpp"
    if own in headers or ALTERNATIVE.match(path):
        return []
    return [f"{path}: declare what it defines in {own}"]


def code_of(text):
    """The text without comments and without the contents of strings."""
    return re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"', "", text)


def brought_by(text, headers):
    """Foreign headers that a text includes, directly or through headers of its own top folder."""
    names, seen, rest = set(), set(), [text]
    while rest:
        for include in filter(None, map(INCLUDE.match, rest.pop().splitlines())):
            name = include[2]
            names.add(name)
            if name in headers and name not in seen:
                seen.add(name)
                rest.append(headers[name])
    return names


def not_included(path, text, headers):
    """Precompiled headers that a header requires but does not include, as a list of `path: message`."""
    if not path.endswith(".hpp") or not path.startswith(PRECOMPILED_IN):
        return []
    names, code = brought_by(text, headers), code_of(text)
    return [f"{path}: include <{header}> for {asked[0]}" for header, words in PRECOMPILED.items()
            if (asked := re.search(words, code)) and not any(re.fullmatch(header, name) for name in names)]


def loops(texts):
    """Files that include each other in a loop where this is not allowed, with a line for each file of a loop."""
    edges = {}
    for path, text in texts.items():
        room = path.rpartition(".")[0]
        included = {include[2].rpartition(".")[0] for include in filter(None, map(INCLUDE.match, text.splitlines()))}
        edges.setdefault(room, set()).update(included - {room})

    def reached(start):
        found, rest = set(), [start]
        while rest:
            for name in edges.get(rest.pop(), ()):
                if name not in found:
                    found.add(name)
                    rest.append(name)
        return found

    return [f"{room}: its includes lead back to it, by {', '.join(sorted(by))}" for room in sorted(edges)
            if room.startswith(WITHOUT_LOOPS) and room in reached(room)
            and (by := {name for name in edges[room] if room in reached(name)})]


def main(root):
    seen, found = set(), []
    for top in ("framework", "kernels", "io", "drivers", "python", "examples/strategies"):
        texts = {path.relative_to(root).as_posix(): path.read_text() for path in sorted((root / top).rglob("*"))
                 if path.suffix in (".hpp", ".cpp", ".cu", ".cuh")}
        for name, text in texts.items():
            seen.add(layer_of(name))
            found += violations(name, text) + unproven(name, text, texts) + nameless(name, texts)
            found += not_included(name, text, texts)
        found += loops(texts)
    for layer in sorted(set(MAY_SEE) - seen):
        found.append(f"{layer}: no source found under {root}; is it the project's root?")
    if None in seen:
        found.append("framework: a source lies in no layer")
    print("\n".join(found) or "every include follows the one-way rule, every header stands alone")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: layers.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
