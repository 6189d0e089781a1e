#include "drivers/job/run_windows.hpp"

#include <algorithm>
#include <optional>

#include "drivers/pipeline/window_pipeline.hpp"
#include "framework/grid/interval_set.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {
namespace {

/// The interval of `count` indices that belongs to a rank.
Interval share_of(Index count, int rank, int ranks) {
  const auto border = [&](Index r) {
    return count / ranks * r + std::min<Index>(count % ranks, r);
  };
  return {border(rank), border(rank + 1)};
}

/// Reads the inputs of windows. Counts each missing point only once, on the rank whose share
/// contains it, even if several windows read it.
template <class T>
class WindowInput {
 public:
  WindowInput(const Plan& plan, int rank, int ranks)
      : input_(plan.input),
        plan_(plan),
        axis_(plan.windows->axis),
        share_(share_of(plan.input_form.shape()[axis_], rank, ranks)) {}

  void read(const Box& box, FieldView<T> points) {
    const double start = MPI_Wtime();
    if (!plan_.missing)
      input_.read<T>(plan_.input_form, box, points, plan_.missing);
    else
      read_and_count(box, points);
    seconds_ += MPI_Wtime() - start;
  }

  /// Counts missing points that no window has read: those skipped by strides larger than the mask.
  void count_the_rest(Index at_a_time) {
    if (!plan_.missing) return;
    Box box = make_box(plan_.input_form.shape());
    for (const Interval& rest : counted_.missing_in(share_))
      for (Index at = rest.first; at < rest.last; at += at_a_time) {
        box.set(axis_, {at, std::min(rest.last, at + at_a_time)});
        const Point extent = box.extent();
        std::vector<T> points(static_cast<std::size_t>(stencil::points(extent)));
        read(box, {points.data(), extent, extent[1] * extent[2], extent[2]});
      }
  }

  Index missing() const { return missing_; }
  double seconds() const { return seconds_; }

 private:
  void read_and_count(const Box& box, FieldView<T> points) {
    const Interval all = box.along(axis_);
    Index at = all.first;
    const auto read_until = [&](Index end, bool counts) {
      if (end <= at) return;
      Box part = box, local = make_box(points.extent);
      part.set(axis_, {at, end});
      local.set(axis_, {at - all.first, end - all.first});
      const Index found =
          input_.read<T>(plan_.input_form, part, points.window(local), plan_.missing);
      if (counts) missing_ += found;
      at = end;
    };
    for (const Interval& part : counted_.add(intersect(all, share_))) {
      read_until(part.first, false);
      read_until(part.last, true);
    }
    read_until(all.last, false);
  }

  const InputDataset input_;
  const Plan& plan_;
  const int axis_;
  const Interval share_;
  IntervalSet counted_;
  Index missing_ = 0;
  double seconds_ = 0;
};

}  // namespace

template <class T>
void run_windows(Session& session, const Plan& plan, OutputFile& output, Progress& progress,
                 RunSummary& summary) {
  const Communicator& communicator = session.communicator();
  const Windows& windows = *plan.windows;
  const Point& shape = plan.output_form.shape();
  const Interval share = share_of(shape[windows.axis], session.rank(), session.size());
  std::optional<WindowPipeline<T>> pipeline;
  std::optional<WindowInput<T>> input;
  communicator.agree([&] {
    pipeline.emplace(session.executor(), plan.chain, windows.axis);
    input.emplace(plan, session.rank(), session.size());
  });
  const Index points_out = stencil::points(shape);
  progress.begin(checked_multiply(2, points_out));
  progress.phase("read, compute and write windows",
                 checked_add(plan.bytes_read, plan.bytes_written));
  double seconds_windows = 0;
  // all ranks make the same number of writes, some of them empty
  const Index calls =
      communicator.maximum((share.extent() + windows.outputs - 1) / windows.outputs);
  for (Index call = 0; call < calls; ++call) {
    const Interval outputs = intersect(
        share, {share.first + call * windows.outputs, share.first + (call + 1) * windows.outputs});
    Box box = make_box(shape);
    box.set(windows.axis, outputs);
    FieldView<const T> points{};
    double start = MPI_Wtime();
    communicator.agree([&] {
      if (outputs.empty()) return;
      points =
          pipeline->run(outputs, [&](const Box& part, FieldView<T> to) { input->read(part, to); });
    });
    seconds_windows += MPI_Wtime() - start;
    start = MPI_Wtime();
    output.write<T>(outputs.empty() ? Box{} : box, points);
    summary.seconds_write += MPI_Wtime() - start;
    progress.advance(outputs.extent() * (points_out / shape[windows.axis]) * session.size());
  }
  communicator.agree([&] { input->count_the_rest(windows.outputs); });
  summary.missing_in = input->missing();
  summary.stage_seconds = pipeline->stage_seconds();
  summary.seconds_read = input->seconds();
  summary.seconds_compute = std::max(0.0, seconds_windows - input->seconds());
}

template void run_windows<float>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);
template void run_windows<double>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);

}  // namespace stencil
