#include "drivers/job/watch/snapshot_watch.hpp"

#include "drivers/job/transfer/write_output.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"

namespace stencil {

template <class T>
SnapshotWatch<T>::SnapshotWatch(Session& session, const Plan& plan, const Field<T>& input,
                                OutputFile& output)
    : session_(session), plan_(plan), output_(output), before_(plan.steps_before()) {
  if (plan.resumed())
    taken_at_ = before_ / plan.watching.snapshot_every * plan.watching.snapshot_every;
  else
    take(input, 0);
}

template <class T>
Index SnapshotWatch<T>::next_look(Index done) const {
  const Index every = plan_.watching.snapshot_every;
  return (before_ + done) / every * every + every - before_;
}

template <class T>
bool SnapshotWatch<T>::look(State<T>& state) {
  take(state.field, before_ + state.steps_done);
  return true;
}

template <class T>
void SnapshotWatch<T>::finish(const Field<T>& result, Index steps) {
  if (taken_at_ != steps) take(result, steps);
}

template <class T>
void SnapshotWatch<T>::take(const Field<T>& field, Index steps) {
  const double start = MPI_Wtime();
  output_.begin_snapshot();
  write_output(session_.communicator(), output_boxes(plan_, session_.rank()), field,
               session_.executor(), output_);
  output_.end_snapshot(double(steps) * plan_.watching.time_step);
  taken_at_ = steps;
  seconds_ += MPI_Wtime() - start;
}

template class SnapshotWatch<float>;
template class SnapshotWatch<double>;

}  // namespace stencil
