#pragma once

#include <functional>
#include <vector>

#include "drivers/pipeline/pipeline.hpp"

namespace stencil {

/// Looks at a run between its steps: writes a snapshot, saves a checkpoint, decides that enough
/// steps are done. The same on every rank.
template <class T>
class StepWatch {
 public:
  virtual ~StepWatch() = default;

  /// The next steps after which it wants to look.
  /// @param done  steps of all stages that are done
  /// @returns more than `done`; more than the chain has: no more
  virtual Index next_look(Index done) const = 0;

  /// Looks at the state; may change nothing of it but its ghosts. Collective.
  /// @returns whether the run goes on, the same on every rank; false: the state is the result
  /// @throws Error  agreed on by all ranks: ends the run
  virtual bool look(State<T>& state) = 0;
};

/// The first end of a sweep at or behind so many steps: to stop within a sweep would cost time, and
/// memory for one more field.
Index sweep_end(const Chain& chain, Index steps);

/// After how many more steps to look again, so that looks are about half a second apart.
/// @param steps, seconds  since the look before this one
Index steps_to_next_look(Index steps, double seconds);

template <class T>
using StepWatches = std::vector<std::reference_wrapper<StepWatch<T>>>;

/// Advances a state to the end of the chain, and lets each watch look at it when it wants to, in
/// their order: behind one that ends the run no other looks. The results have the same bits as
/// those of Pipeline::run(), whoever looks.
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
