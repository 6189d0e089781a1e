#include "drivers/job/watch/window_progress.hpp"

#include <algorithm>

#include "drivers/job/transfer/window_input.hpp"
#include "framework/grid/interval_set.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/write/blocks/output_blocks.hpp"

namespace stencil {

Index unit_of(const Windows& windows) {
  return std::max(windows.unit, windows.group);
}

std::vector<Interval> windows_of(const Windows& windows, Index count,
                                 const std::vector<Interval>& done, int rank, int ranks) {
  const Index unit = unit_of(windows), units = (count - 1) / unit + 1;
  IntervalSet is_done;
  for (const Interval& part : done) is_done.add(part);
  const auto outputs_of = [&](Index n) {
    return Interval{std::min(count, n * unit), std::min(count, (n + 1) * unit)};
  };
  std::vector<Index> left;
  for (Index n = 0; n < units; ++n)
    if (done.empty() || !is_done.missing_in(outputs_of(n)).empty()) left.push_back(n);
  const Interval share = share_of(std::ssize(left), rank, ranks);
  std::vector<Interval> result;
  for (Index i = share.first; i < share.last;) {
    Interval run = outputs_of(left[static_cast<std::size_t>(i)]);
    while (++i < share.last && outputs_of(left[static_cast<std::size_t>(i)]).first == run.last)
      run.last = outputs_of(left[static_cast<std::size_t>(i)]).last;
    for (Index at = run.first; at < run.last; at += windows.outputs)
      result.push_back({at, std::min(run.last, at + windows.outputs)});
  }
  return result;
}

std::vector<DoneWindow> whole_units(std::vector<DoneWindow> windows, Index unit, Index count) {
  for (;;) {
    IntervalSet done;
    for (const DoneWindow& window : windows) done.add(window.outputs);
    const std::size_t before = windows.size();
    std::erase_if(windows, [&](const DoneWindow& window) {
      const Interval units{window.outputs.first / unit * unit,
                           std::min(count, ((window.outputs.last - 1) / unit + 1) * unit)};
      return !done.missing_in(units).empty();
    });
    if (windows.size() == before) return windows;
  }
}

Index first_output(const Plan& plan, Index block) {
  const NormalForm& form = plan.output.form;
  const storage::Piece points = storage::grid_of(plan.output).points_in(block);
  Index at = 0;
  for (const int member : form.dataset_axes(plan.windows()->axis)) {
    const auto axis = static_cast<std::size_t>(member);
    at = at * form.dims()[axis] + points.start[axis + plan.output.leading_axes()];
  }
  return at;
}

}  // namespace stencil
