#pragma once

#include <memory>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Arguments of a walk; see convolve_cpu for the stencil and the views.
template <class T>
struct Work {
  const Stencil<T>& stencil;  ///< must outlive the walk
  const RowKernels<T>& kernels;
  FieldView<const T> source;
  FieldView<T> target;
  int threads;  ///< number of threads of the team that sums the pieces
  bool stream;  ///< use streaming stores
  /// Whether the inputs are in the cache, and have a row pitch with which rows do not compete for
  /// the same sets of the cache.
  bool cached = false;
};

/// Computes pieces of the outputs of some work.
template <class T>
class PieceSums {
 public:
  virtual ~PieceSums() = default;
  /// Returns the scratch memory of each thread, in elements of type T.
  virtual Index elements() const = 0;
  /// Returns the number of pointers to rows that each thread needs.
  virtual Index pointers() const = 0;
  /// Sums one piece, which must not be empty, on the calling thread, which belongs to the team of
  /// Work::threads. The caller calls finish_streaming.
  ///
  /// @param memory, rows  scratch memory of this thread; its content is undefined afterwards
  virtual void sum(const Box& piece, T* memory, const T** rows) const = 0;
};

/// A method of summing outputs in pieces.
template <class T>
struct Walk {
  Index panel;    ///< number of points along x of the widest piece whose data stays in the cache
  Index overlap;  ///< rows of intermediate results that two consecutive pieces both compute
  /// @param panel  points along x of the widest piece
  std::unique_ptr<PieceSums<T>> (*sums)(const Work<T>& work, Index panel);
};

}  // namespace stencil::cpu
