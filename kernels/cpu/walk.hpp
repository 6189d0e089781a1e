#pragma once

#include <memory>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Arguments of a walk; stencil and views as in convolve_cpu.
template <class T>
struct Work {
  const Stencil<T>& stencil;  ///< outlives the walk
  const RowKernels<T>& kernels;
  FieldView<const T> source;
  FieldView<T> target;
  int threads;  ///< of the team that sums the pieces
  bool stream;  ///< results go past the caches
  bool cached =
      false;  ///< the inputs are in the cache, with a row pitch that spreads them over its sets
};

/// Sums pieces of the outputs of some work.
template <class T>
class PieceSums {
 public:
  virtual ~PieceSums() = default;
  /// Elements of scratch memory, and pointers to rows, that every thread needs.
  virtual Index elements() const = 0;
  virtual Index pointers() const = 0;
  /// Sums one piece, which is not empty, on the calling thread, which is one of the team of
  /// Work::threads. The caller calls finish_streaming.
  ///
  /// @param memory, rows  scratch of this thread; undefined afterwards
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
