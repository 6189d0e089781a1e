"""Bugs to plant: the layer, the file, the text to be replaced, the new text, and the names in CTest of the tests of the quick
run that must find the bug. planted_bugs.py plants the bugs."""

from collections import namedtuple

Bug = namedtuple("Bug", "layer file old new tests")

BUGS = [
    # framework/grid
    Bug("grid", "framework/grid/boundary.cpp", "2 * extent - 1 - folded", "2 * extent - 2 - folded", ["framework_units"]),
    Bug("grid", "framework/grid/decomposition.cpp", "(k * base + std::min(k, larger))", "(k * base)", ["framework_units"]),
    Bug("grid", "framework/grid/sampling.cpp", "s.first = centre - width + 1;", "s.first = centre - width;", ["framework_units"]),
    # framework/device
    Bug("device", "framework/device/watchdog.cpp", "|| seconds <= 0)", "|| seconds < 0)", ["framework_units"]),
    Bug("device", "framework/device/field_layout.cpp", "layout.offset = lead * element;",
        "layout.offset = lead * element + element;", ["framework_units"]),
    # framework/parallel
    Bug("parallel", "framework/parallel/gather_field.cpp", "(b * shape[1] + y) * shape[2] + box.first[2]",
        "(b * shape[1] + y) * shape[2]", ["parallel_units.3"]),
    Bug("parallel", "framework/parallel/communicator.cpp", "outcome[0] == 0 ? size_ : rank_", "outcome[0] == 0 ? size_ : 0",
        ["parallel_units.2", "parallel_units.3"]),
    Bug("parallel", "framework/parallel/parcel.cpp", "request == TransportRequest::automatic ? std::max(plain, peer)",
        "request == TransportRequest::automatic ? std::min(plain, peer)", ["exchange_plan"]),
    # kernels
    Bug("kernels", "kernels/families/families.cpp", "next[k - 1] += k * q[k];", "next[k - 1] += q[k];", ["kernels_units"]),
    Bug("kernels", "kernels/families/window.cpp", '{"hann", {0.5, 0.5}}', '{"hann", {0.5, 0.49}}', ["kernels_units"]),
    Bug("kernels", "kernels/fft/fourier.cpp", "return {std::cos(angle), -std::sin(angle)};",
        "return {std::cos(angle), std::sin(angle)};", ["kernels_units"]),
    Bug("kernels", "kernels/level_spans.cpp", "known.last = std::max(known.last, *source + 1);",
        "known.last = std::max(known.last, *source);", ["kernels_units"]),
    Bug("kernels/reference", "kernels/reference/convolve_reference.cpp",
        "if (tap == 0 && !stencil.multiply_zeros) continue;", "if (tap == 0) continue;", ["kernels_units"]),
    Bug("kernels/cpu", "kernels/cpu/weights.cpp", "all = sum(absolute(stencil.taps));", "all = sum(stencil.taps);",
        ["kernels_units", "kernels_convolve_missing"]),
    Bug("kernels/cpu", "kernels/cpu/direct_walk.cpp", "if (value != 0 || stencil.multiply_zeros)", "if (value != 0)",
        ["kernels_convolve_cpu"]),
    Bug("kernels/channels", "kernels/channels/convolve_channels_cpu.cpp",
        "stencil.taps[(bundle.first + k) * taps + tap]", "stencil.taps[(bundle.first + k) * taps]",
        ["kernels_convolve_channels_cpu"]),
    # io
    Bug("io/metadata", "io/metadata/leap_seconds.cpp", "1'435'708'800", "1'435'622'400", ["io_units"]),
    Bug("io/hdf5", "io/hdf5/packing.cpp", "const bool is_shuffled = element_bytes_ > 1;",
        "const bool is_shuffled = element_bytes_ > 4;", ["io_units"]),
    Bug("io/hdf5", "io/hdf5/packed_numbers.cpp", "packing.has_other_sign = *wanted ==", "packing.has_other_sign = *wanted !=",
        ["io_units"]),
    Bug("io/read", "io/read/select.cpp", "*index < 0 ? *index + extent : *index", "*index < 0 ? *index + extent - 1 : *index",
        ["io_units"]),
    Bug("io/read", "io/read/missing_points.cpp", "if (!value.holds<decltype(example)>())",
        "if (value.holds<decltype(example)>())", ["io_units"]),
    Bug("io/write", "io/write/blocks/packed_store.cpp", "return most_in_memory + at;", "return at;", ["io_units"]),
    Bug("io/write", "io/write/blocks/block_checksums.cpp", "return a.block < b.block;", "return a.block > b.block;",
        ["io_ranks.1", "io_ranks.3"]),
    # drivers
    Bug("drivers/config", "drivers/config/values.cpp", '{"MiB", 0x1p20}', '{"MiB", 1e6}', ["config"]),
    Bug("drivers/plan", "drivers/plan/make/margins.cpp", "low = std::min(low, before);", "", ["plan"]),
    Bug("drivers/plan", "drivers/plan/split/passes.cpp", "pass.chain.stages.back().steps = own.extent();",
        "pass.chain.stages.back().steps = stage.steps;", ["plan"]),
    Bug("drivers/plan", "drivers/plan/predict/transfer_boxes.cpp", "at / unit[axis] * unit[axis] + thick", "at + thick", ["config"]),
    Bug("drivers/pipeline", "drivers/pipeline/chain.cpp", ": Interval{std::min(found.first, *at), std::max(found.last, *at + 1)};",
        ": Interval{std::min(found.first, *at), std::max(found.last, *at)};", ["chain.1", "window_pipeline.1"]),
    Bug("drivers/job", "drivers/job/watch/step_watch.cpp", "until = std::min(until, looks.back());", "", ["watches.1"]),
    Bug("drivers/job", "drivers/job/transfer/kept_points.cpp", "if (std::isnan(points.at(", "if (!std::isnan(points.at(",
        ["scipy.kept_points"]),
    Bug("drivers/plan", "drivers/plan/describe/describe.cpp", "selected.push_back({axis.first, axis.step, axis.count});",
        "selected.push_back({axis.first, axis.count, axis.step});", ["plan"]),
    # the source as a whole
    Bug("layers", "kernels/mask.cpp", '#include "kernels/mask.hpp"', '#include "kernels/mask.hpp"\n#include "io/probe.hpp"',
        ["structure.layers"]),
    Bug("pages", "docs/building.md", "# Building", "# Building\n\n[lost](nowhere.md)", ["structure.links"]),
]
