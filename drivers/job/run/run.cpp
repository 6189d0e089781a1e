#include "drivers/job/run/run.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/job/run/run_passes.hpp"
#include "drivers/job/run/run_windows.hpp"
#include "drivers/job/transfer/kept_points.hpp"
#include "drivers/job/transfer/read_input.hpp"
#include "drivers/job/transfer/write_output.hpp"
#include "drivers/job/watch/checkpoint_watch.hpp"
#include "drivers/job/watch/point_watch.hpp"
#include "drivers/job/watch/snapshot_watch.hpp"
#include "drivers/job/watch/step_lines.hpp"
#include "drivers/job/watch/step_watch.hpp"
#include "drivers/job/watch/stop_watch.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "drivers/plan/split/volumes.hpp"
#include "framework/device/named_range.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {
namespace {

/// Returns the time in seconds that a phase takes on this rank.
template <class Phase>
double seconds_of(const Phase& phase) {
  const double start = MPI_Wtime();
  phase();
  return MPI_Wtime() - start;
}

/// The watches of a plan, which are called between the steps of a run.
template <class T>
class Watches {
 public:
  /// Collective.
  /// @param input    the owned points must be valid
  /// @param files    checkpoint files; null for no checkpoints
  /// @param missing  number of missing points in the input, of all ranks
  Watches(Session& session, const Plan& plan, const Field<T>& input, CheckpointFiles* files,
          Index missing, const JobContext& context, OutputFile& output)
      : plan_(plan), listener_(context.listener) {
    const Watching& watching = plan.watching;
    session.communicator().agree([&] {
      if (session.rank() != 0 || watching.lines.empty()) return;
      lines_.emplace(watching.lines, plan.steps_before(), watching.time_step,
                     plan.resumed() ? plan.resumed()->lines : std::nullopt);
      if (!lines_->note().empty()) listener_.note(lines_->note());
    });
    if (watching.every > 0)
      points_.emplace(session, plan, input, [this](const Look& look) { tell(look); });
    if (points_ && !plan.resumed()) tell({.facts = points_->input()});
    if (plan.output.snapshots) snapshots_.emplace(session, plan, input, output);
    if (!files && context.stops_unsaved) stops_.emplace(session, plan.chain, context);
    if (!files) return;
    InputCounts counts{.missing = missing};
    if (points_) counts.nans = points_->input().nans;
    if (points_) counts.infinities = points_->input().infinities;
    checkpoints_.emplace(session, plan, *files, counts, context,
                         plan.output.snapshots ? &output : nullptr, lines_ ? &*lines_ : nullptr);
  }
  /// Returns the watches in the order of their calls. The point watch is first, so a run that ends
  /// early writes no further checkpoint. Snapshots precede checkpoints, so a checkpoint includes
  /// the snapshot of its own step.
  StepWatches<T> all() {
    StepWatches<T> all;
    if (points_) all.push_back(*points_);
    if (snapshots_) all.push_back(*snapshots_);
    if (checkpoints_) all.push_back(*checkpoints_);
    if (stops_) all.push_back(*stops_);
    return all;
  }
  SnapshotWatch<T>* snapshots() { return snapshots_ ? &*snapshots_ : nullptr; }
  /// To be called after the last step. @throws Error  of status 75, on all ranks: a stop was
  /// requested
  void finish(RunSummary& summary) {
    if (stops_) stops_->finish();
    stops_.reset();
    if (checkpoints_) {
      checkpoints_->finish();
      summary.checkpoints = checkpoints_->written();
      summary.seconds_checkpoints = checkpoints_->seconds();
    }
    checkpoints_.reset();
    if (!points_) return;
    summary.ended_at = points_->ended_at();
    summary.notes = points_->notes();
  }

 private:
  void tell(const Look& look) {
    listener_.changed(look.change);
    if (!lines_) return;
    std::optional<Index> snapshot;
    if (const Index every = plan_.watching.snapshot_every; every > 0) {
      const bool is_last = look.ends || look.steps == plan_.steps_in_all();
      if (look.steps % every == 0 || is_last) snapshot = (look.steps + every - 1) / every;
    }
    const SideWriting writes_line(listener_);
    lines_->add(look, MPI_Wtime() - start_, snapshot);
  }

  const Plan& plan_;
  Listener& listener_;
  const double start_ = MPI_Wtime();
  std::optional<StepLines> lines_;  ///< only on rank 0
  std::optional<PointWatch<T>> points_;
  std::optional<CheckpointWatch<T>> checkpoints_;
  std::optional<SnapshotWatch<T>> snapshots_;
  std::optional<StopWatch<T>> stops_;
};

/// Reads all inputs, computes, and writes all outputs. Sets the seconds and the number of missing
/// points of this rank in the summary.
template <class T>
void run_at_once(Session& session, const Plan& plan, CheckpointFiles* files,
                 const JobContext& context, OutputFile& output, RunSummary& summary) {
  Listener& listener = context.listener;
  const Communicator& communicator = session.communicator();
  Executor& executor = session.executor();
  Pipeline<T> pipeline(session, plan.chain);
  std::optional<Field<T>> field;
  communicator.agree([&] { field = pipeline.make_input(); });
  InputScale scale(mixed_channels(plan));
  const Index points_in = points(plan.input_form.shape()),
              points_out = points(plan.chain.output_shape());
  listener.phase("read", plan.bytes_read);
  summary.seconds_read = seconds_of([&] {
    communicator.agree([&] {
      const InputDataset input(plan.input);
      const NamedRange range(executor, "read");
      summary.missing_in = read_input(input, plan, session.rank(), *field, executor,
                                      uses_transforms(plan) ? &scale : nullptr);
      if (plan.resumed())
        summary.missing_in = session.rank() == 0 ? plan.resumed()->input.missing : 0;
    });
  });
  listener.advance(points_in);
  const Index planned = plan.steps_in_all();
  Index done = plan.steps_before();
  listener.begin_steps({done, planned, plan.watching.time_step, plan.watching.unit});
  listener.phase("compute", 0);
  Watches<T> watches(session, plan, *field, files, communicator.sum(summary.missing_in), context,
                     output);
  Field<T> result = advance_watched<T>(pipeline, pipeline.start(std::move(*field)), watches.all(),
                                       [&](Index advanced) {
                                         listener.step(++done);
                                         listener.advance(advanced);
                                       });
  watches.finish(summary);
  if (uses_transforms(plan))
    if (std::string note = scale.note(communicator, plan); !note.empty())
      summary.notes.push_back(std::move(note));
  if (summary.ended_at) listener.advance((planned - *summary.ended_at) * points_out);
  if (summary.ended_at) output.set_steps_done(*summary.ended_at);
  listener.phase("write", plan.bytes_written);
  summary.seconds_write = seconds_of([&] {
    const NamedRange range(executor, "write");
    if (SnapshotWatch<T>* const snapshots = watches.snapshots())
      return snapshots->finish(result, summary.ended_at.value_or(planned));
    std::optional<KeptPoints> kept;
    communicator.agree([&] {
      if (plan.kept) kept.emplace(plan);
      if (kept && executor.is_host()) kept->mark<T>(result.subdomain().owned, result.owned());
    });
    write_output(communicator, output_boxes(plan, session.rank()), result, executor, output,
                 kept ? &*kept : nullptr);
  });
  if (watches.snapshots()) summary.seconds_write = watches.snapshots()->seconds();
  summary.seconds_memory = pipeline.times().memory;
  summary.seconds_exchange = pipeline.times().exchange;
  summary.seconds_compute = pipeline.times().compute;
  summary.stage_seconds = pipeline.times().stages;
  summary.bytes_sent = pipeline.bytes_sent();
}

/// Returns the number of points that the progress of a run at once (AtOnce) counts before the
/// output gets its final name.
Index points_at_once(const Plan& plan) {
  const Index moved =
      checked_add(points(plan.input_form.shape()), points(plan.chain.output_shape()));
  return checked_add(checked_multiply(moved, plan.input_form.volumes()), plan.points_out);
}

/// Adds the times and counts of one volume to the summary.
void add(const RunSummary& taken, RunSummary& summary) {
  summary.seconds_read += taken.seconds_read;
  summary.seconds_memory += taken.seconds_memory;
  summary.seconds_exchange += taken.seconds_exchange;
  summary.seconds_compute += taken.seconds_compute;
  summary.seconds_write += taken.seconds_write;
  summary.missing_in += taken.missing_in;
  summary.bytes_sent += taken.bytes_sent;
  for (std::size_t i = 0; i < stations; ++i) {
    summary.stations_busy[i] += taken.stations_busy[i];
    summary.stations_waiting[i] += taken.stations_waiting[i];
  }
  summary.stage_seconds.resize(taken.stage_seconds.size());
  for (std::size_t i = 0; i < taken.stage_seconds.size(); ++i)
    summary.stage_seconds[i] += taken.stage_seconds[i];
  for (const std::string& note : taken.notes)
    if (std::find(summary.notes.begin(), summary.notes.end(), note) == summary.notes.end())
      summary.notes.push_back(note);
}

/// Computes the volumes one after the other, each at once or in windows.
template <class T>
void run_volumes(Session& session, const Plan& plan, const JobContext& context, OutputFile& output,
                 RunSummary& summary, WindowStop* stop) {
  const Index volumes = plan.input_form.volumes();
  context.listener.begin(plan.windows()
                             ? checked_multiply(2 * volumes, points(plan.chain.output_shape()))
                             : points_at_once(plan));
  for (Index number = 0; number < volumes; ++number) {
    const Plan one = volume_of(plan, number);
    output.begin_volume(number);
    RunSummary taken;
    if (plan.windows())
      run_windows<T>(session, one, output, context.listener, taken, stop);
    else
      run_at_once<T>(session, one, nullptr, context, output, taken);
    add(taken, summary);
  }
}

template <class T>
RunSummary run_typed(Session& session, const Plan& plan, const JobContext& context,
                     CheckpointFiles* files) {
  const Communicator& communicator = session.communicator();
  RunSummary summary;
  const double start = MPI_Wtime();
  // The output is created first, so a full disk or a locked file is detected before any work.
  OutputFile output(communicator, plan.output, plan.unfinished());
  Listener& listener = context.listener;
  std::optional<WindowStop> stop;
  if ((files || context.stops_unsaved) && plan.is_in_windows())
    stop.emplace(communicator, plan.checkpoint ? plan.checkpoint->time_limit : std::nullopt,
                 context);
  output.as_owner([&] {
    if (plan.input_form.volumes() > 1) {
      run_volumes<T>(session, plan, context, output, summary, stop ? &*stop : nullptr);
    } else if (const Passes* passes = plan.passes()) {
      listener.begin(checked_multiply(points(plan.chain.output_shape()), std::ssize(*passes) + 1));
      run_passes<T>(session, plan, output, listener, summary, files, stop ? &*stop : nullptr);
    } else if (plan.windows()) {
      listener.begin(checked_multiply(2, points(plan.chain.output_shape())));
      run_windows<T>(session, plan, output, listener, summary, stop ? &*stop : nullptr);
    } else {
      listener.begin(points_at_once(plan));
      run_at_once<T>(session, plan, files, context, output, summary);
    }
  });
  stop.reset();
  if (plan.resumed()) summary.missing_in = session.rank() == 0 ? plan.resumed()->input.missing : 0;
  summary.seconds_commit = seconds_of([&] {
    const NamedRange range(session.executor(), "commit");
    // After the output has its final name, or after a checkpoint was removed, no message may ask
    // the user to run the job again.
    summary.output = output.commit([&] { listener.before_commit(); });
  });
  listener.after_commit();
  if (files && session.rank() == 0 && !files->remove())
    listener.warning(fmt::format("{} cannot be removed", one_line(files->file())));
  listener.advance(checked_multiply(points(plan.chain.output_shape()), plan.input_form.volumes()));
  listener.finish();
  summary.seconds_total = MPI_Wtime() - start;
  session.connect();
  const TransportFacts transport = session.transport();
  summary.transport = fmt::format("{} ({})", transport.name, transport.reason);
  combine(communicator, summary);
  if (plan.is_in_windows()) listener.stations({summary.stations_busy, summary.stations_waiting});
  return summary;
}

}  // namespace

RunSummary run_plan(Session& session, const Plan& plan, const JobContext& context,
                    CheckpointFiles* files) {
  if (plan.chain.precision == Precision::float64)
    return run_typed<double>(session, plan, context, files);
  return run_typed<float>(session, plan, context, files);
}

}  // namespace stencil
