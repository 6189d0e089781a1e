"""Plants every kind of violation, and checks that layers.py finds it and nothing else."""

import sys

from layers import loops, nameless, not_included, unproven, violations

BROKEN = [
    ("framework/grid/box.hpp", '#include "framework/device/field.hpp"'),
    ("framework/grid/box.cpp", "#include <mpi.h>"),
    ("framework/grid/box.cpp", "#include <hdf5.h>"),
    ("framework/grid/box.cpp", "#include <cuda_runtime.h>"),
    ("framework/device/field.hpp", '#include "framework/parallel/communicator.hpp"'),
    ("framework/device/field.hpp", '#include "kernels/mask.hpp"'),
    ("framework/device/executor.cpp", "#include <mpi.h>"),
    ("framework/device/executor.cpp", "#include <cuda_runtime.h>"),
    ("framework/parallel/halo_exchange.cpp", '#include "io/dataset.hpp"'),
    ("framework/parallel/halo_exchange.cpp", "#include <H5Dpublic.h>"),
    ("kernels/stencil.hpp", '#include "framework/parallel/communicator.hpp"'),
    ("kernels/stencil.hpp", '#include "io/dataset.hpp"'),
    ("kernels/cpu/walk.cpp", "#include <mpi.h>"),
    ("kernels/cpu/walk.cpp", "  #  include <hdf5.h>"),
    ("kernels/cpu/walk.cpp", "#include <cuda_fp16.h>"),
    ("kernels/cuda/walk.cu", "#include <nccl.h>"),
    ("kernels/cuda/walk.cu", "  #pragma omp parallel for"),
    ("kernels/cuda/walk.cpp", "walk<<<grid, block>>>();"),
    ("kernels/cuda/walk.hpp", "#include <cuda_runtime.h>"),
    ("kernels/stencil.hpp", "__global__ void walk();"),
    ("kernels/stencil.cpp", "walk<<<grid, block>>>();"),
    ("kernels/stencil.cpp", '#include "kernels/method/method_costs.hpp"'),
    ("kernels/mask.hpp", '#include "kernels/bind/bind_stencil.hpp"'),
    ("kernels/fft/fft_tiles.cpp", '#include "kernels/method/fft_tile_choice.hpp"'),
    ("kernels/fft/fft_tiles.hpp", '#include "kernels/mask.hpp"'),
    ("kernels/method/method.cpp", '#include "kernels/families/families.hpp"'),
    ("kernels/families/families.cpp", '#include "kernels/cpu/walk.hpp"'),
    ("kernels/cpu/walk.cpp", '#include "kernels/bind/kernel_name.hpp"'),
    ("kernels/cuda/walk.cu", '#include "kernels/bind/limits.hpp"'),
    ("io/probe.cpp", '#include "kernels/mask.hpp"'),
    ("io/hdf5/handle.hpp", '#include "io/read/inspect.hpp"'),
    ("io/hdf5/handle.hpp", '#include "io/probe.hpp"'),
    ("io/read/inspect.cpp", '#include "io/write/output/output_file.hpp"'),
    ("io/write/output/output_file.cpp", '#include "io/probe.hpp"'),
    ("io/write/output/output_file.cpp", "#include <cuda_runtime.h>"),
    ("io/write/output/output_file.cpp", '#include "io/write/resume/checkpoint_file.hpp"'),
    ("io/write/output_spec.hpp", '#include "io/write/blocks/readback.hpp"'),
    ("io/dataset.cpp", '#include "drivers/config/config.hpp"'),
    ("io/dataset.cpp", "#include <cuda_runtime.h>"),
    ("drivers/config/config.cpp", '#include "drivers/plan/plan.hpp"'),
    ("drivers/config/config.cpp", '#include "drivers/pipeline/chain.hpp"'),
    ("drivers/pipeline/chain.hpp", '#include "drivers/config/config.hpp"'),
    ("drivers/pipeline/chain.hpp", '#include "io/hdf5/element_type.hpp"'),
    ("drivers/pipeline/chain.hpp", "#include <hdf5.h>"),
    ("drivers/plan/plan.cpp", '#include "drivers/job/run/run.hpp"'),
    ("drivers/plan/problem.hpp", '#include "drivers/plan/make/stage_mask.hpp"'),
    ("drivers/plan/predict/plan_costs.cpp", '#include "drivers/plan/make/make_problem.hpp"'),
    ("drivers/plan/make/make_problem.cpp", '#include "drivers/plan/split/windows.hpp"'),
    ("drivers/plan/split/windows.cpp", '#include "drivers/plan/describe/describe.hpp"'),
    ("drivers/plan/describe/describe.cpp", '#include "drivers/job/run/run.hpp"'),
    ("drivers/plan/make/make_problem.cpp", "#include <cuda_runtime.h>"),
    ("drivers/job/report/listener.hpp", '#include "drivers/job/job.hpp"'),
    ("drivers/job/transfer/read_input.cpp", '#include "drivers/job/watch/step_watch.hpp"'),
    ("drivers/job/resume/resume.cpp", '#include "drivers/job/run/run.hpp"'),
    ("drivers/job/watch/step_watch.cpp", '#include "drivers/job/prepare/plan_stretch.hpp"'),
    ("drivers/job/prepare/plan_stretch.cpp", '#include "drivers/job/run/run.hpp"'),
    ("drivers/job/run/run.cpp", '#include "drivers/job/job.hpp"'),
    ("drivers/job/run/run.cpp", '#include "drivers/stencil_bench/cases.hpp"'),
    ("drivers/stencil_bench/main.cpp", '#include "drivers/stencil_run/words.hpp"'),
    ("drivers/job/run/run.cpp", "#include <cuda_runtime.h>"),
    ("drivers/job/run/run.cpp", '#include "../kernels/mask.hpp"'),
    ("drivers/job/run/run.cpp", '#include "config.hpp"'),
]
SOUND = [
    ("framework/grid/box.cpp", '#include "framework/grid/box.hpp"\n#include <fmt/format.h>'),
    ("framework/device/cuda/executor.cu", "#include <cuda_runtime.h>\n__global__ void f();"),
    ("framework/parallel/halo_exchange.cpp", '#include <mpi.h>\n#include "framework/device/field.hpp"'),
    ("kernels/cuda/walk.cu", "#include <cooperative_groups.h>"),
    ("kernels/cuda/walk.cpp", "#include <cuda_runtime.h>\n#pragma omp parallel for"),
    ("kernels/bind/bind_stencil.cpp", '#include "kernels/cuda/cuda_stencil.hpp"\n#include "kernels/cpu/walk.hpp"'),
    ("kernels/method/method.cpp", '#include "kernels/fft/fft_tiles.hpp"\n#include "kernels/mask.hpp"'),
    ("kernels/stencil.hpp", "// a launch is written walk<<<grid, block>>>()"),
    ("io/dataset.cpp", '#include <hdf5.h>\n#include <mpi.h>\n#include "framework/parallel/communicator.hpp"'),
    ("drivers/job/run/run.cpp", '#include "kernels/mask.hpp"\n#include "io/dataset.hpp"\n#include <hdf5.h>'),
    ("io/write/output/output_file.cpp", '#include "io/read/coordinates.hpp"\n#include "io/hdf5/handle.hpp"'),
    ("drivers/plan/describe/describe.cpp", '#include "drivers/plan/predict/prediction.hpp"\n#include "drivers/plan/split/passes.hpp"'),
    ("drivers/job/job.cpp", '#include "drivers/job/run/run.hpp"\n#include "drivers/job/report/listener.hpp"'),
    ("tests/io/dataset_test.cpp", '#include "kernels/mask.hpp"'),
]

HEADERS = ("io/dataset.hpp", "io/handle.hpp")
UNPROVEN = [
    ("io/handle.hpp", "#include <hdf5.h>"),
    ("kernels/cuda/walk.cuh", "// #pragma once"),
    ("io/dataset.cpp", '#include <hdf5.h>\n#include "io/dataset.hpp"'),
    ("io/dataset.cpp", '#include "io/handle.hpp"'),
    ("io/dataset.cpp", '// #include "io/dataset.hpp"\n'),
]
PROVEN = [
    ("io/handle.hpp", "// words\n#pragma once\n#include <hdf5.h>"),
    ("io/dataset.cpp", '// words\n#include "io/dataset.hpp"\n\n#include <hdf5.h>'),
    ("io/read.cpp", '#include <hdf5.h>\n#include "io/dataset.hpp"'),
    ("io/read.cpp", "int main() {}"),
]

NAMED = ("kernels/mask.hpp", "io/hdf5/handle.hpp", "drivers/stencil_bench/nchw_gpu.hpp")
NAMELESS = [
    "framework/device/layout.cpp",
    "kernels/cpu/walk.cpp",
    "kernels/handle.cpp",
    "io/handle.cpp",
    "io/hdf5/handles.cpp",
    "drivers/plan/main.cpp",
    "drivers/job/nchw_gpu_without_cuda.cpp",
]
HAS_NAME = [
    "kernels/mask.cpp",
    "io/hdf5/handle.cpp",
    "kernels/mask.hpp",
    "kernels/walk.hpp",
    "kernels/cuda/walk.cpp",
    "kernels/cuda/walk.cu",
    "framework/device/cuda/walk.cu",
    "drivers/stencil_run/main.cpp",
    "drivers/stencil_bench/nchw_gpu_without_cuda.cpp",
    "drivers/stencil_bench/nchw_gpu_absent.cpp",
    "tests/io/handle_test.cpp",
]

OWN = {"io/handle.hpp": "#include <string>", "io/names.hpp": '#include "io/handle.hpp"'}
LACKING = [
    ("io/dataset.hpp", "std::string name();"),
    ("io/dataset.hpp", "// #include <vector>\nstd::vector<int> numbers();"),
    ("drivers/job/run/run.hpp", "#include <string>\nstd::optional<int> n;"),
    ("drivers/job/run/run.hpp", "inline int f(int a) { return std::max(a, 1); }"),
    ("drivers/job/run/run.hpp", "inline auto f() { return fmt::format(words); }"),
]
COMPLETE = [
    ("io/dataset.hpp", '#include "io/names.hpp"\nstd::string name();'),
    ("io/dataset.hpp", '// a std::vector\nconst char* words = "std::optional";'),
    ("drivers/job/run/run.hpp", "#include <fmt/core.h>\ninline auto f() { return fmt::format(words); }"),
    ("drivers/job/run/run.cpp", "std::string name();"),
    ("kernels/mask.hpp", "std::vector<int> numbers();"),
]

LOOP = {"io/write/a.hpp": '#include "io/write/b.hpp"', "io/write/b.cpp": '#include "io/write/c.hpp"',
        "io/write/c.cpp": '#include "io/write/a.hpp"\n#include "io/write/d.hpp"', "io/write/d.cpp": '#include "io/write/d.hpp"'}
# a loop of includes in each layer in which loops are not allowed
LOOPS = [{f"{folder}/a.hpp": f'#include "{folder}/b.hpp"', f"{folder}/b.cpp": f'#include "{folder}/a.hpp"'}
         for folder in ("framework/grid", "framework/device/cuda", "framework/parallel", "kernels", "kernels/method", "io/write/output",
                        "drivers/config", "drivers/pipeline", "drivers/plan/make", "drivers/job/run")]
STRAIGHT = {**LOOP, "io/write/c.cpp": '#include "io/write/d.hpp"'}

wrong = [f"not found: {path}: {text}" for path, text in BROKEN if len(violations(path, text)) != 1]
wrong += [f"found by mistake: {line}" for path, text in SOUND for line in violations(path, text)]
wrong += [f"not found: {path}: {text}" for path, text in UNPROVEN if len(unproven(path, text, HEADERS)) != 1]
wrong += [f"found by mistake: {line}" for path, text in PROVEN for line in unproven(path, text, HEADERS)]
wrong += [f"not found: {path}" for path in NAMELESS if len(nameless(path, NAMED)) != 1]
wrong += [f"found by mistake: {line}" for path in HAS_NAME for line in nameless(path, NAMED)]
wrong += [f"not found: {path}: {text}" for path, text in LACKING if len(not_included(path, text, OWN)) != 1]
wrong += [f"found by mistake: {line}" for path, text in COMPLETE for line in not_included(path, text, OWN)]
wrong += [f"not found: the loop of {sorted(LOOP)}"] * (len(loops(LOOP)) != 3)
wrong += [f"not found: the loop of {sorted(texts)}" for texts in LOOPS if len(loops(texts)) != 2]
wrong += [f"found by mistake: {line}" for line in loops(STRAIGHT)]
planted = len(BROKEN) + len(UNPROVEN) + len(NAMELESS) + len(LACKING) + len(LOOPS) + 1
print("\n".join(wrong) or f"{planted} planted violations found")
sys.exit(1 if wrong else 0)
