#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cuda/generated/loaded_kernel.hpp"
#include "kernels/generated/step_spec.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// The streams of the two parts of a sweep. The part `frame` has the points at the edges of the
/// world, which are little work, but form long chains in which each point depends on the one
/// before. The part `strips` has all other points. Neither part waits for the other.
struct StepStreams {
  CUstream_st *frame, *strips;
};

/// Computes several steps of one stencil in one sweep on one GPU, by kernels that are generated for
/// the mask and compiled when they are first needed. If they cannot be compiled, and for views that
/// are small or not aligned, a kernel that was compiled ahead computes everything.
template <class T>
class StepSweeps {
 public:
  explicit StepSweeps(const Stencil<T>& stencil);

  /// Queues the same computation as `advance_cpu` (kernels/cpu/advance_cpu.hpp), with the same
  /// bits, for views in device memory.
  ///
  /// @param steps  at most generated::most_depth
  /// @throws MachineError  a launch failed
  /// @throws logic_error   the mask has no kernels (generated::step_mask), or there are too many
  ///                       steps
  void advance(const StepEdges& edges, Index steps, FieldView<const T> source, FieldView<T> target,
               const StepStreams& streams);

 private:
  struct Walk {
    generated::StepWalk shape;
    const LoadedKernel* kernel = nullptr;  ///< null if the kernel could not be compiled
    int resident = 1;                      ///< number of blocks on a multiprocessor
  };
  struct Sweep;

  const Walk& walk_for(const generated::StepMask& mask, int depth);
  const LoadedKernel* tiles_for(const generated::StepMask& mask);
  void launch_tiles(const Sweep& sweep, bool may_compile, CUstream_st* stream);
  void launch_strips(const Sweep& sweep, const Walk& walk, CUstream_st* stream);
  void launch_walk(const Sweep& sweep, const Walk& walk, const FieldView<const T>& source,
                   const FieldView<T>& target, CUstream_st* stream);

  Stencil<T> stencil_;
  std::vector<T> taps_;
  std::mutex mutex_;
  std::map<int, Walk> walks_;  ///< key: the number of steps
  bool has_tiles_ = false;     ///< whether compiling the kernel for tiles has been tried
  const LoadedKernel* tiles_ = nullptr;
};

}  // namespace stencil::cuda
