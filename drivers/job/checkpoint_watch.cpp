#include "drivers/job/checkpoint_watch.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/job/write_output.hpp"
#include "drivers/plan/checkpoint_plan.hpp"
#include "drivers/plan/passes.hpp"
#include "drivers/plan/transfer_boxes.hpp"
#include "framework/device/named_range.hpp"
#include "framework/grid/error.hpp"
#include "io/write/output_file.hpp"

namespace stencil {
namespace {

constexpr double between_looks = 0.5;  // seconds
constexpr Index most_growth = 8;       // of the steps from one look to the next

}  // namespace

template <class T>
CheckpointWatch<T>::CheckpointWatch(Session& session, const Plan& plan, CheckpointFiles& files,
                                    Index missing)
    : session_(session),
      plan_(plan),
      files_(files),
      missing_(missing),
      keeps_former_(plan.resumed.has_value()),
      looked_when_(MPI_Wtime()),
      saved_when_(looked_when_) {}

/// The first end of a sweep at or behind so many steps: a stop within a sweep would cost time, and
/// memory for one more field.
template <class T>
Index CheckpointWatch<T>::sweep_end(Index steps) const {
  Index before = 0;
  for (const BoundStage& stage : plan_.chain.stages) {
    if (steps <= before + stage.steps) {
      const Index each = stage.steps_per_sweep;
      return before + std::min(stage.steps, (steps - before + each - 1) / each * each);
    }
    before += stage.steps;
  }
  return before;
}

template <class T>
Index CheckpointWatch<T>::next_look(Index done) const {
  const Index all = plan_.chain.steps();
  const Index next = sweep_end(std::max(done + 1, next_look_));
  return next < all ? next : all + 1;  // behind the last step there is nothing to save
}

template <class T>
bool CheckpointWatch<T>::is_due(Index done, double now) const {
  const CheckpointInterval& every = plan_.checkpoint->every;
  return every.steps > 0 ? done - saved_steps_ >= every.steps : now - saved_when_ >= every.seconds;
}

/// The same on every rank: by the clock of rank 0.
template <class T>
void CheckpointWatch<T>::plan_next_look(Index done, double now) {
  const double each = (now - looked_when_) / double(std::max<Index>(1, done - looked_at_));
  const double wanted = between_looks / std::max(each, 1e-9);
  Index steps = std::max<Index>(1, (done - looked_at_) * most_growth);
  if (wanted < double(steps)) steps = std::max<Index>(1, static_cast<Index>(wanted));
  const CheckpointInterval& every = plan_.checkpoint->every;
  if (every.steps > 0) steps = std::min(steps, saved_steps_ + every.steps - done);
  next_look_ = done + session_.communicator().maximum(session_.rank() == 0 ? steps : Index{1});
  looked_at_ = done;
}

template <class T>
bool CheckpointWatch<T>::look(State<T>& state) {
  const Communicator& communicator = session_.communicator();
  const Index done = state.steps_done;
  const double now = MPI_Wtime();
  const bool is_first = communicator.rank() == 0;
  if (communicator.maximum(Index{is_first && is_due(done, now)}) > 0) {
    save(state);
    saved_steps_ = done;
    saved_when_ = MPI_Wtime();
  }
  plan_next_look(done, now);
  looked_when_ = MPI_Wtime();
  return true;
}

template <class T>
void CheckpointWatch<T>::save(State<T>& state) {
  const Communicator& communicator = session_.communicator();
  const NamedRange range(session_.executor(), "checkpoint");
  std::optional<Plan> rest;
  OutputSpec spec;
  communicator.agree([&] {
    rest = pass_of(plan_, state.steps_done, plan_.chain.steps());
    const Index before = plan_.resumed ? plan_.resumed->steps_done : 0;
    spec = checkpoint_of(*rest, files_.next_name(),
                         {plan_.checkpoint->words, before + state.steps_done, missing_});
  });
  OutputFile file(communicator, spec);
  write_output(communicator, input_boxes(*rest, session_.rank()), state.field, session_.executor(),
               file);
  file.commit();
  files_.give_name(keeps_former_);
  keeps_former_ = true;
}

template class CheckpointWatch<float>;
template class CheckpointWatch<double>;

}  // namespace stencil
