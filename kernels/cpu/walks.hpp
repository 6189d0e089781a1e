#pragma once

#include <memory>

#include "framework/grid/box.hpp"
#include "kernels/convolve.hpp"
#include "kernels/cpu/row_kernels.hpp"

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

/// Tap by tap: any direct stencil without regard to missing points.
template <class T>
Walk<T> direct_walk(const Stencil<T>& stencil);

/// Whether column_walk does it: separable masks and tall single columns without strides.
template <class T>
bool can_walk_columns(const Stencil<T>& stencil);

/// Rows and columns in one walk: each thread keeps the row sums that the columns of some rows of
/// outputs read in a ring of rows that stays in the cache, so that the input is read once and the
/// output written once. @pre can_walk_columns
template <class T>
Walk<T> column_walk(const Stencil<T>& stencil);

/// The same for separable masks with strides or taps that do not meet their input.
template <class T>
Walk<T> separable_walk(const Stencil<T>& stencil);

/// That of these which is the fastest. @pre not fft, one separable term
template <class T>
Walk<T> plain_walk(const Stencil<T>& stencil);

/// Renormalized sums, by the walk of the plain ones. @pre min_valid; as plain_walk
///
/// @param extent  of the outputs
template <class T>
Walk<T> valid_walk(const Stencil<T>& stencil, const Point& extent);

/// Cuts the outputs of a call into pieces and sums them by the calling thread's team.
template <class T>
void run(const Walk<T>& walk, const Stencil<T>& stencil, const RowKernels<T>& kernels,
         FieldView<const T> source, FieldView<T> target);

// Walks that cut their outputs themselves; arguments as convolve_cpu. The target has no extent of
// 0.

/// As column_walk, for a sum of several separable terms, each of which has a ring of row sums.
template <class T>
void walk_sum_of_separables(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            FieldView<const T> source, FieldView<T> target);

/// Pairs of blocks, one or two at once.
template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cpu
