#pragma once

#include <functional>
#include <vector>

#include "drivers/pipeline/pipeline.hpp"

namespace stencil {

/// Called between the steps of a run: writes a snapshot, saves a checkpoint, or decides that enough
/// steps are done. The same on every rank.
template <class T>
class StepWatch {
 public:
  virtual ~StepWatch() = default;

  /// The next number of steps after which look() has to be called.
  /// @param done  steps of all stages that are done
  /// @returns more than `done`; if more than the chain has, look() is not called again
  virtual Index next_look(Index done) const = 0;

  /// Examines the state; may change nothing of it but its ghosts. Collective.
  /// @returns whether the run continues, the same on every rank; false: the state is the result
  /// @throws Error  agreed on by all ranks: ends the run
  virtual bool look(State<T>& state) = 0;
};

/// The first end of a sweep at or after this number of steps: stopping within a sweep would take
/// time, and memory for one more field.
Index sweep_end(const Chain& chain, Index steps);

/// Number of further steps until the next check, so that checks are about half a second apart.
/// @param steps, seconds  since the previous check
Index steps_to_next_look(Index steps, double seconds);

template <class T>
using StepWatches = std::vector<std::reference_wrapper<StepWatch<T>>>;

/// Advances a state to the end of the chain, and calls each watch at the steps that it requests, in
/// their order: after a watch that ends the run no other is called. The results have the same bits
/// as those of Pipeline::run(), whichever watches are called.
///
/// @returns the points after the last step that was done
/// @throws Error  agreed on by all ranks: as Pipeline::advance() and the watches
template <class T>
Field<T> advance_watched(Pipeline<T>& pipeline, State<T> state, const StepWatches<T>& watches,
                         const typename Pipeline<T>::OnStep& on_step = {});

extern template Field<float> advance_watched(Pipeline<float>&, State<float>,
                                             const StepWatches<float>&,
                                             const Pipeline<float>::OnStep&);
extern template Field<double> advance_watched(Pipeline<double>&, State<double>,
                                              const StepWatches<double>&,
                                              const Pipeline<double>::OnStep&);

}  // namespace stencil
