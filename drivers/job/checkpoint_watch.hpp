#pragma once

#include "drivers/job/step_watch.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/checkpoint_file.hpp"

namespace stencil {

/// Saves what a run has done every so often. Looks about once in half a second, at the end of a
/// sweep.
template <class T>
class CheckpointWatch : public StepWatch<T> {
 public:
  /// @param plan     of the steps that the pipeline takes, with a checkpoint; must outlive the
  ///                 watch, as must the others
  /// @param missing  points that were missing in the input, of all ranks
  CheckpointWatch(Session& session, const Plan& plan, CheckpointFiles& files, Index missing);

  Index next_look(Index done) const override;
  bool look(State<T>& state) override;

 private:
  Index sweep_end(Index steps) const;
  bool is_due(Index done, double now) const;
  void plan_next_look(Index done, double now);
  void save(State<T>& state);

  Session& session_;
  const Plan& plan_;
  CheckpointFiles& files_;
  const Index missing_;
  bool keeps_former_;      ///< the checkpoint that is there is of this run
  Index next_look_ = 1;    ///< steps done
  Index looked_at_ = 0;    ///< steps done at the last look
  double looked_when_;     ///< seconds of MPI_Wtime, on this rank
  Index saved_steps_ = 0;  ///< steps done at the last checkpoint
  double saved_when_;
};

extern template class CheckpointWatch<float>;
extern template class CheckpointWatch<double>;

}  // namespace stencil
