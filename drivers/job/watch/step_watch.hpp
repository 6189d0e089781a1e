#pragma once

#include <functional>
#include <vector>

#include "drivers/pipeline/pipeline.hpp"

namespace stencil {

/// An object that is called between the steps of a run to write a snapshot, to save a checkpoint,
/// or to end the run early. The calls and results are the same on every rank.
template <class T>
class StepWatch {
 public:
  virtual ~StepWatch() = default;

  /// Returns the number of steps after which look() has to be called next.
  /// @param done  steps that are done, summed over all stages
  /// @returns a number above `done`; if this number exceeds the steps of the chain, look() is not
  ///          called again
  virtual Index next_look(Index done) const = 0;

  /// Examines the state and may change only its ghost points. Collective.
  /// @returns whether the run continues, the same on every rank; if false, the state is the result
  /// @throws Error  the same error on all ranks, which ends the run
  virtual bool look(State<T>& state) = 0;
};

/// Returns the first end of a sweep at or after this number of steps. Stopping within a sweep would
/// need time, and memory for one more field.
Index sweep_end(const Chain& chain, Index steps);

/// Returns the number of steps until the next check, such that checks are about half a second
/// apart.
/// @param steps, seconds  steps and time since the previous check
Index steps_to_next_look(Index steps, double seconds);

template <class T>
using StepWatches = std::vector<std::reference_wrapper<StepWatch<T>>>;

/// Advances a state to the end of the chain, and calls each watch at the steps that it requests.
/// The watches are called in the order of the list; after a watch that ends the run, no other watch
/// is called. The results have the same bits as those of Pipeline::run(), whichever watches are
/// called.
///
/// @returns the points after the last step that was done
/// @throws Error  on all ranks: see Pipeline::advance() and StepWatch::look()
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
