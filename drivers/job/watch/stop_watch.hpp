#pragma once

#include "drivers/job/report/job_context.hpp"
#include "drivers/job/watch/step_watch.hpp"

namespace stencil {

/// Stops a run without a checkpoint if a stop is requested. Checks for requests about twice a
/// second, at the end of a sweep.
template <class T>
class StopWatch : public StepWatch<T> {
 public:
  /// @param session, chain, context  must outlive this object
  StopWatch(Session& session, const Chain& chain, const JobContext& context);

  Index next_look(Index done) const override;
  /// @throws Error  of status 75, on all ranks: a stop was requested on any rank
  bool look(State<T>& state) override;
  /// To be called after the last step. @throws Error  see look()
  void finish();

 private:
  Session& session_;
  const Chain& chain_;
  StopPhase phase_;
  Index next_look_ = 1;  ///< steps done
  Index looked_at_ = 0;  ///< steps done at the last check
  double looked_when_;   ///< time of the last check (MPI_Wtime) on this rank
};

extern template class StopWatch<float>;
extern template class StopWatch<double>;

}  // namespace stencil
