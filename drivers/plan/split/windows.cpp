#include "drivers/plan/split/windows.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "drivers/pipeline/window_pipeline.hpp"
#include "drivers/plan/split/window_memory.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {
namespace {

// The number of sweeps is limited, because each sweep extends the inputs of a window.
constexpr Index most_sweeps = 64;
// The number of periodic sweeps is limited, because at the edges each sweep splits an interval in
// two.
constexpr Index most_periodic_sweeps = 4;

/// An axis along which windows can be cut, and the number of outputs along it that stay together.
struct Cut {
  int axis = batch_axis;
  Index group = 1;
};

/// Returns the axes to try, in order of preference. Slabs along the outermost axis with more than
/// one output are long contiguous ranges of the file. Channels that are mixed stay together: a
/// window contains either whole images with all their channels, or some rows of all channels. The
/// outputs of all filters of a bank also stay together, although they are far apart in the file,
/// because the filters are the first axis of the output.
std::vector<Cut> cuts_of(const Problem& problem) {
  const Point& shape = problem.chain.output_shape();
  const auto outermost = [&](int axis) {
    const NormalForm& form = problem.output_form;
    if (!form.keeps_order())
      for (int first : {batch_axis, y_axis, x_axis})
        if (first >= axis && shape[first] > 1 && form.is_outermost(first)) return first;
    while (axis < x_axis && shape[axis] == 1) ++axis;
    return axis;
  };
  if (problem.output.filters) return {{outermost(y_axis), 1}};
  for (const BoundStage& stage : problem.chain.stages) {
    if (!stage.channels && stage.bank.empty()) continue;
    const Index channels = stage.channels ? stage.channels->channels() : 1;
    const Index images = stage.input.shape()[batch_axis] / channels;
    std::vector<Cut> cuts{{outermost(y_axis), 1}};
    if (images > 1) cuts.insert(cuts.begin(), {batch_axis, shape[batch_axis] / images});
    return cuts;
  }
  const int axis = outermost(batch_axis);
  return {{axis, axis == batch_axis ? problem.chain.batch_parts : 1}};
}

/// Returns whether slabs along the axis are contiguous in the file, for each filter separately.
bool is_outermost(const Problem& problem, int axis) {
  return problem.output_form.volumes() == 1 && problem.output_form.is_outermost(axis);
}

/// Returns the largest number of outputs of a window; 0 if windows are not possible.
Index most_outputs(const Problem& problem, const Cut& cut) {
  bool is_periodic = false;
  Index reach = 0;
  for (const BoundStage& stage : problem.chain.stages) {
    is_periodic |= stage.boundary.rule[cut.axis] == BoundaryRule::wrap;
    reach = checked_add(reach, checked_multiply(stage.steps, stage.sampling[cut.axis].width - 1));
  }
  const Index sweeps = problem.chain.steps(), count = problem.chain.output_shape()[cut.axis];
  if (sweeps > most_sweeps || count <= cut.group) return 0;
  if (!is_periodic || sweeps <= most_periodic_sweeps) return count;
  return is_periodic_throughout(problem.chain, cut.axis) ? std::max<Index>(0, count - reach) : 0;
}

bool is_possible(const Problem& problem, const Cut& cut) {
  return most_outputs(problem, cut) > 0;
}

/// Returns the bytes that a window of one output reads or writes, without points beyond its ends.
Index bytes_per_output(const Problem& problem, int axis) {
  const Index element = problem.compute_bytes();
  const auto slice = [&](const Point& shape) {
    return std::max<Index>(1, checked_multiply(points(shape) / shape[axis], element));
  };
  const Index count = problem.chain.output_shape()[axis];
  const Index inputs_each = std::max<Index>(1, problem.chain.input_shape()[axis] / count);
  return std::max(slice(problem.chain.output_shape()),
                  checked_multiply(slice(problem.chain.input_shape()), inputs_each));
}

/// Returns the smallest number of outputs of a window: for thinner windows the overhead dominates.
Index least_outputs(const Problem& problem, int axis) {
  constexpr Index least_bytes = Index{256} << 10;
  return std::clamp<Index>(least_bytes / bytes_per_output(problem, axis), 1,
                           problem.chain.output_shape()[axis]);
}

constexpr int most_at_a_time = 8;

/// Returns the number of windows that wait for the disk while others compute. On a node with
/// several ranks, windows of the other ranks compute, too.
int waiting(const Problem& problem) {
  return problem.ranks > 1 ? 1 : 2;
}

/// Sets how many windows are processed at the same time, and the threads of each window.
void share_threads(const Problem& problem, int threads, int at_a_time, Windows& windows) {
  const int computing = std::max(1, at_a_time - waiting(problem));
  windows.at_a_time = at_a_time;
  windows.threads = (threads + computing - 1) / computing;
}

/// Bytes of memory for windows.
struct Budget {
  Index host = 0, device = 0;
  bool holds_world = false;  ///< whether the whole world fits into memory, too
};

/// Sets the largest windows that fit, in multiples of `step`; returns false if the smallest windows
/// do not fit.
///
/// @param least, most  limits on the number of outputs of a window
bool grow(const Problem& problem, const Budget& budget, Index step, Index least, Index most,
          Windows& windows) {
  least = (least - 1) / step + 1;
  const Index possible = most_outputs(problem, {windows.axis, windows.group});
  const bool is_bounded = possible < problem.chain.output_shape()[windows.axis];
  const auto fits = [&](Index steps) {
    windows.outputs = steps * step;
    if (is_bounded && windows.outputs > possible) return false;
    windows.bytes = window_bytes(problem, windows);
    windows.device_bytes = window_device_bytes(problem, windows);
    return windows.bytes <= budget.host && windows.device_bytes <= budget.device;
  };
  if (!fits(least)) return false;
  Index fitting = least, beyond = std::max(least, most / step) + 1;
  while (beyond - fitting > 1) {
    const Index middle = fitting + (beyond - fitting) / 2;
    (fits(middle) ? fitting : beyond) = middle;
  }
  fits(fitting);
  windows.kept_chunk_bytes = reads_of(problem, windows).kept;
  return true;
}

/// Returns the ratio of the bytes that windows read more than once to the bytes of the input.
double read_twice(const Problem& problem, const Windows& windows) {
  const Index count = problem.chain.output_shape()[windows.axis],
              inputs = problem.input_form.shape()[windows.axis];
  const Index in_all = checked_multiply((count - 1) / windows.outputs + 1,
                                        most_read(problem, windows.axis, windows.outputs));
  return std::max(0.0, double(in_all) / double(inputs) - 1);
}

constexpr double most_read_twice = 0.25;

/// The outputs of a window, and the share of the inputs that may be read twice for them.
struct Thickness {
  Index outputs = 1;
  double most_read_twice = 0;
};

/// Returns the thicknesses of windows to try, in order of preference.
///
/// @param overlap  number of outputs that need as many inputs as two neighbouring windows share
std::vector<Thickness> thicknesses(const Problem& problem, const Budget& budget, double overlap,
                                   Index count, int at_a_time) {
  // For a bank, windows are large, because a bank writes much more than it reads.
  const double thick = problem.output.filters ? 4 : 8;
  std::vector<Thickness> all;
  // Reading points twice is slow if they are on the disk (files larger than memory) or in chunks.
  // Thin windows were not measured on GPUs.
  if (budget.holds_world && problem.input.chunk.empty() && problem.input.filters.empty() &&
      !problem.output.filters && problem.chain.backend == Backend::cpu) {
    // Thin windows read more points twice. With thick windows, there is little to compute while the
    // first windows are read and while the last windows are written. For the number of outputs that
    // is computed here, both effects cost the same time.
    const double share = double(count) / double(problem.ranks);
    const double balanced = std::sqrt(share * overlap / (2 * double(at_a_time)));
    const double wanted = std::clamp(balanced, 2 * overlap, thick * overlap);
    all.push_back({Index(std::ceil(share / std::max(1.0, std::floor(share / wanted)))), 0.6});
  }
  all.push_back({Index(thick * overlap), most_read_twice});
  return all;
}

/// Returns windows of whole blocks that are processed at the same time: as many as the budget
/// allows without reading many points twice.
std::optional<Windows> several_at_a_time(const Problem& problem, const Cut& cut,
                                         const Budget& budget, const WindowLimits& limits) {
  if (!is_outermost(problem, cut.axis)) return std::nullopt;
  const int axis = cut.axis;
  constexpr Index good_bytes = Index{16} << 20;  // long transfers; larger ones are not faster
  const Index each = bytes_per_output(problem, axis), count = problem.chain.output_shape()[axis];
  Windows windows;
  windows.axis = axis;
  windows.group = cut.group;
  windows.unit = std::lcm(whole_blocks(problem.output, axis), cut.group);
  const Index overlap = most_read(problem, axis, 1),
              reach = std::max<Index>(1, problem.chain.input_shape()[axis] / count);
  const int most = std::min(limits.threads + waiting(problem), most_at_a_time);
  const auto tries = thicknesses(problem, budget, double(overlap) / double(reach), count, most);
  for (const Thickness& tried : tries) {
    const bool is_last = &tried == &tries.back();
    const Index good = std::clamp<Index>(std::max(good_bytes / each, tried.outputs), 1,
                                         most_outputs(problem, cut));
    // Windows that are smaller than the blocks of the file complete the blocks together.
    const Index step = windows.unit <= 2 * good ? windows.unit : cut.group;
    for (int at_a_time = most; at_a_time > 0; --at_a_time) {
      share_threads(problem, limits.threads, at_a_time, windows);
      if (limits.binds_threads && at_a_time > 1 && windows.threads > 1) continue;
      if (!grow(problem, budget, step, least_outputs(problem, axis), good, windows)) continue;
      windows.read_twice = read_twice(problem, windows);
      if (windows.read_twice <= tried.most_read_twice || (is_last && at_a_time == 1))
        return windows;
      if (!is_last) break;  // tries thicker windows
    }
  }
  return std::nullopt;
}

/// Returns windows with arbitrary borders, which are processed one after the other.
std::optional<Windows> one_at_a_time(const Problem& problem, const Cut& cut, const Budget& budget) {
  Windows windows;
  windows.axis = cut.axis;
  windows.group = cut.group;
  const Index most = most_outputs(problem, cut);
  if (!grow(problem, budget, cut.group, std::min(least_outputs(problem, cut.axis), most), most,
            windows))
    return std::nullopt;
  windows.read_twice = read_twice(problem, windows);
  return windows;
}

/// Returns the ratio of the largest number of outputs of a rank to the mean over the ranks. The
/// shares of the ranks end at whole blocks.
double imbalance(const Problem& problem, const Windows& windows) {
  const Index count = problem.chain.output_shape()[windows.axis];
  const Index unit = std::max({windows.unit, windows.group, Index{1}});
  const Index units = (count - 1) / unit + 1, most = (units - 1) / problem.ranks + 1;
  return double(std::min(count, checked_multiply(most, unit))) * problem.ranks / double(count);
}

/// Returns whether windows are faster than computing at once: they need no memory pages for the
/// whole world, and read, compute and write at the same time.
bool is_faster(const Problem& problem, const std::optional<Windows>& windows) {
  constexpr Index least_bytes = Index{64} << 20;  // per rank
  constexpr double most_imbalance = 1.25;
  const Index bytes = checked_add(problem.bytes_read, problem.bytes_written);
  return windows && windows->at_a_time > 1 && imbalance(problem, *windows) <= most_imbalance &&
         problem.chain.steps() == std::ssize(problem.chain.stages) &&
         bytes / problem.ranks >= least_bytes;
}

/// Returns the windows of the first cut for which any windows fit into a budget.
std::optional<Windows> fitting(const Problem& problem, const Budget& budget,
                               const WindowLimits& limits) {
  for (const Cut& cut : cuts_of(problem)) {
    if (!is_possible(problem, cut)) continue;
    const auto several = several_at_a_time(problem, cut, budget, limits);
    // with few blocks, some ranks have none, or half as many as others
    if (several && imbalance(problem, *several) < 2) return several;
    if (const auto windows = one_at_a_time(problem, cut, budget)) return windows;
    if (several) return several;
  }
  return std::nullopt;
}

/// Returns the least memory of windows along an axis.
Index least_bytes(const Problem& problem, const Cut& cut) {
  Index least = std::numeric_limits<Index>::max();
  std::vector<Index> units{0};
  if (is_outermost(problem, cut.axis))
    units.push_back(std::lcm(whole_blocks(problem.output, cut.axis), cut.group));
  for (const Index unit : units) {
    Windows thinnest;
    thinnest.axis = cut.axis;
    thinnest.group = cut.group;
    thinnest.unit = unit;
    share_threads(problem, std::max(1, omp_get_max_threads()), 1, thinnest);
    const Index step = std::max(unit, cut.group);
    thinnest.outputs = ((least_outputs(problem, cut.axis) - 1) / step + 1) * step;
    least = std::min(least, window_bytes(problem, thinnest));
  }
  return least;
}

}  // namespace

std::optional<Windows> choose_windows(const Problem& problem, const WindowLimits& limits) {
  if (problem.watching.needs_world()) return {};
  const Index quarter = limits.is_asked ? limits.available : limits.available / 4;
  if (problem.memory_at_once <= limits.available && limits.fits_device) {
    if (limits.wants_blocks) return {};
    const Budget budget{quarter, limits.device, true};
    auto windows = fitting(problem, budget, limits);
    if (!is_faster(problem, windows)) return {};
    windows->is_needed = false;
    return windows;
  }
  return choose_needed_windows(problem, limits);
}

std::optional<Windows> choose_needed_windows(const Problem& problem, const WindowLimits& limits) {
  const Index quarter = limits.is_asked ? limits.available : limits.available / 4;
  if (const auto windows = fitting(problem, {quarter, limits.device}, limits)) return windows;
  return fitting(problem, {limits.available, limits.device}, limits);
}

Index least_memory_of_windows(const Problem& problem) {
  Index least = std::numeric_limits<Index>::max();
  for (const Cut& cut : cuts_of(problem))
    if (is_possible(problem, cut)) least = std::min(least, least_bytes(problem, cut));
  return least;
}

}  // namespace stencil
