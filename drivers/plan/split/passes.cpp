#include "drivers/plan/split/passes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "drivers/plan/predict/plan_costs.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil {
namespace {

constexpr const char* scratch_dataset = "/points";
// largest number of passes that is considered, unless nothing else fits
constexpr Index most_passes = 1000;

NormalForm form_of(const Point& shape) {
  NormalForm form({shape[0], shape[1], shape[2]}, {0, 1, 2});
  if (form.shape() != shape) throw Error(Status::bug, "points of a scratch file in another form");
  return form;
}

void read_scratch(const Point& shape, Problem& pass) {
  pass.input = {};
  pass.input.dataset = scratch_dataset;
  pass.input.dims = {shape[0], shape[1], shape[2]};
  pass.input.type = pass.compute_type();
  pass.input.layout = "contiguous";
  pass.input.sampling_rate.assign(pass.input.dims.size(), 0);
  pass.input_form = form_of(shape);
  pass.missing.reset();  // `kept` reads the original input
}

void write_scratch(const Point& shape, Problem& pass) {
  OutputSpec scratch;
  scratch.dataset = scratch_dataset;
  scratch.form = form_of(shape);
  scratch.type = pass.compute_type();
  scratch.overwrite = true;
  scratch.is_sealed = true;
  scratch.verify = pass.output.verify;
  pass.output = scratch;
  pass.output_form = scratch.form;
}

}  // namespace

Pass pass_of(const Problem& problem, Index first, Index last) {
  Pass pass{problem, 0, {}};
  pass.chain.stages.clear();
  pass.designed_for.clear();
  pass.watching = {};
  Index before = 0;
  for (std::size_t i = 0; i < problem.chain.stages.size(); ++i) {
    const BoundStage& stage = problem.chain.stages[i];
    const Interval own = intersect(Interval{before, before + stage.steps}, Interval{first, last});
    before += stage.steps;
    if (own.empty()) continue;
    if (pass.chain.stages.empty()) pass.first_stage = i;
    pass.chain.stages.push_back(stage);
    pass.chain.stages.back().steps = own.extent();
    pass.designed_for.push_back(problem.designed_for[i]);
  }
  if (first > 0) read_scratch(pass.chain.input_shape(), pass);
  if (last < before) {
    write_scratch(pass.chain.output_shape(), pass);
    pass.kept.reset();
  }
  count_costs(pass);
  return pass;
}

namespace {

/// Returns whether two passes within one stage are equal, so that they have the same windows.
bool is_like(const Pass& one, const Pass& other) {
  return one.first_stage == other.first_stage && one.chain.stages.size() == 1 &&
         other.chain.stages.size() == 1 && one.chain.steps() == other.chain.steps() &&
         one.output.dataset == other.output.dataset && one.input.file == other.input.file &&
         one.output.file == other.output.file;
}

/// Returns passes of `each` sweeps with their windows; the last pass has the remaining sweeps.
/// Returns an empty list if a pass does not fit into memory.
Passes passes_of(const Problem& problem, Index each, const WindowLimits& limits) {
  Passes passes;
  const Index sweeps = problem.chain.steps();
  for (Index first = 0; first < sweeps; first += each) {
    Pass pass = pass_of(problem, first, std::min(sweeps, first + each));
    if (!passes.empty() && is_like(pass, passes.back())) {
      pass.windows = passes.back().windows;
    } else {
      const auto windows = choose_needed_windows(pass, limits);
      if (!windows) return {};
      pass.windows = *windows;
    }
    passes.push_back(std::move(pass));
  }
  return passes;
}

/// Returns the bytes that a pass transfers between files and memory, plus the bytes of its sweeps,
/// weighted by the time of a sweep relative to that of a transfer.
double cost_of(const Pass& pass) {
  // cost of a sweep, relative to reading and writing the same number of points
  constexpr double of_a_sweep = 0.1;
  const double more = 1 + pass.windows.read_twice;
  const double written = double(pass.bytes_written) * (pass.output.verify ? 2 : 1);
  const double points = double(pass.points_out) * double(pass.compute_bytes());
  return double(pass.bytes_read) * more + written + of_a_sweep * points * more;
}

}  // namespace

Problem reading(Problem problem, DatasetFacts input) {
  problem.input = std::move(input);
  return problem;
}

Passes choose_passes(const Problem& problem, const WindowLimits& limits) {
  if (problem.watching.needs_world() || problem.input_form.volumes() > 1) return {};
  Passes best;
  double least = std::numeric_limits<double>::max();
  for (const Index each : {64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1}) {
    if (each >= problem.chain.steps()) continue;
    if (problem.chain.steps() / each > most_passes && !best.empty()) break;
    Passes passes = passes_of(problem, each, limits);
    if (passes.empty()) continue;
    double cost = 0;
    for (const Pass& pass : passes) cost += cost_of(pass);
    if (cost >= least) continue;
    least = cost;
    best = std::move(passes);
  }
  return best;
}

Index least_memory(const Problem& problem) {
  if (problem.watching.needs_world()) return problem.memory_at_once;
  const Index in_one = std::min(problem.memory_at_once, least_memory_of_windows(problem));
  if (problem.chain.steps() < 2 || problem.input_form.volumes() > 1) return in_one;
  Index most = 0, before = 0;
  for (const BoundStage& stage : problem.chain.stages) {
    // middle passes read and write scratch files
    const Index last = before + stage.steps - 1;
    for (const Index sweep : {before, std::min(before + 1, last), last})
      most = std::max(most, least_memory_of_windows(pass_of(problem, sweep, sweep + 1)));
    before += stage.steps;
  }
  return std::min(in_one, most);
}

}  // namespace stencil
