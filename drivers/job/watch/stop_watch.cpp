#include "drivers/job/watch/stop_watch.hpp"

#include <algorithm>

#include "drivers/job/watch/window_stop.hpp"

namespace stencil {

template <class T>
StopWatch<T>::StopWatch(Session& session, const Chain& chain, const JobContext& context)
    : session_(session), chain_(chain), phase_(context), looked_when_(MPI_Wtime()) {}

template <class T>
Index StopWatch<T>::next_look(Index done) const {
  const Index all = chain_.steps();
  const Index next = sweep_end(chain_, std::max(done + 1, next_look_));
  return next < all ? next : all + 1;  // finish() checks after the last step
}

/// All ranks check after the same steps, which the clock of rank 0 determines.
template <class T>
bool StopWatch<T>::look(State<T>& state) {
  finish();
  const double now = MPI_Wtime();
  const Index done = state.steps_done;
  const Index steps = steps_to_next_look(done - looked_at_, now - looked_when_);
  next_look_ = done + session_.communicator().maximum(session_.rank() == 0 ? steps : Index{1});
  looked_at_ = done;
  looked_when_ = now;
  return true;
}

template <class T>
void StopWatch<T>::finish() {
  const auto reason = static_cast<int>(session_.communicator().maximum(Index{phase_.take()}));
  if (reason != 0) stop_unsaved(session_.communicator(), by_whom(reason));
}

template class StopWatch<float>;
template class StopWatch<double>;

}  // namespace stencil
