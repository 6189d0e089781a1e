#include "drivers/job/watch/step_watch.hpp"

#include <algorithm>
#include <utility>

#include "drivers/pipeline/chain.hpp"
#include "framework/grid/error.hpp"

namespace stencil {

Index sweep_end(const Chain& chain, Index steps) {
  Index before = 0;
  for (const BoundStage& stage : chain.stages) {
    if (steps <= before + stage.steps) {
      const Index each = stage.steps_per_sweep;
      return before + std::min(stage.steps, (steps - before + each - 1) / each * each);
    }
    before += stage.steps;
  }
  return before;
}

Index steps_to_next_look(Index steps, double seconds) {
  constexpr double between_looks = 0.5;
  constexpr Index most_growth = 8;  // largest ratio of successive numbers of steps between checks
  const double each = seconds / double(std::max<Index>(1, steps));
  const double wanted = between_looks / std::max(each, 1e-9);
  const Index most = std::max<Index>(1, steps * most_growth);
  return wanted < double(most) ? std::max<Index>(1, static_cast<Index>(wanted)) : most;
}

template <class T>
Field<T> advance_watched(Pipeline<T>& pipeline, State<T> state, const StepWatches<T>& watches,
                         const typename Pipeline<T>::OnStep& on_step) {
  const Index steps = pipeline.steps();
  while (state.steps_done < steps) {
    const Index done = state.steps_done;
    std::vector<Index> looks;
    Index until = steps;
    for (const StepWatch<T>& watch : watches) {
      looks.push_back(watch.next_look(done));
      if (looks.back() <= done)
        throw Error(Status::bug, "a watch requests a step that has already been done");
      until = std::min(until, looks.back());
    }
    pipeline.advance(state, until, on_step);
    bool goes_on = true;
    for (std::size_t i = 0; i < watches.size() && goes_on; ++i)
      if (looks[i] == until) goes_on = watches[i].get().look(state);
    if (!goes_on) break;
  }
  return std::move(state.field);
}

template Field<float> advance_watched(Pipeline<float>&, State<float>, const StepWatches<float>&,
                                      const Pipeline<float>::OnStep&);
template Field<double> advance_watched(Pipeline<double>&, State<double>, const StepWatches<double>&,
                                       const Pipeline<double>::OnStep&);

}  // namespace stencil
