#pragma once

#include <memory>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// What a walk works on; arguments as convolve_cpu has them.
template <class T>
struct Work {
  const Stencil<T>& stencil;  ///< outlives the walk
  const RowKernels<T>& kernels;
  FieldView<const T> source;
  FieldView<T> target;
  int threads;          ///< of the team that sums the pieces
  bool stream;          ///< results go past the caches
  bool cached = false;  ///< rows of inputs lie in the cache, and not all in the same sets of it
};

/// Sums pieces of the outputs of some work.
template <class T>
class PieceSums {
 public:
  virtual ~PieceSums() = default;
  /// Memory that every thread needs, and pointers to rows.
  virtual Index elements() const = 0;
  virtual Index pointers() const = 0;
  /// Sums one piece, which is not empty, on the calling thread, one of the team of Work::threads.
  /// Streamed results are not finished.
  ///
  /// @param memory, rows  of this thread; what they hold afterwards is of no use
  virtual void sum(const Box& piece, T* memory, const T** rows) const = 0;
};

/// A way to walk over outputs in pieces.
template <class T>
struct Walk {
  Index panel;    ///< points along x of the widest piece that stays in the cache
  Index overlap;  ///< rows that a piece computes again because the one before it had them too
  /// @param panel  points along x of the widest piece that there will be
  std::unique_ptr<PieceSums<T>> (*sums)(const Work<T>& work, Index panel);
};

}  // namespace stencil::cpu
