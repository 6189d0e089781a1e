#pragma once

#include <memory>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Sums boxes of outputs of a mask of several planes (Stencil::depth), on the calling thread.
template <class T>
class VolumeSums {
 public:
  virtual ~VolumeSums() = default;
  /// Elements of scratch memory, and pointers to rows, that every thread needs.
  virtual Index elements() const = 0;
  virtual Index pointers() const = 0;
  /// @param source  exactly the inputs of the target's outputs
  /// @param target  no larger than the largest box
  /// @param stream  results go past the caches; the caller calls finish_streaming
  /// @param memory, rows  scratch of this thread; undefined afterwards
  virtual void sum(FieldView<const T> source, FieldView<T> target, bool stream, T* memory,
                   const T** rows) const = 0;
};

/// The sums of the stencil's method, direct or separable. Missing points are not left out.
///
/// @param stencil  outlives the sums
/// @param largest  extent of the largest box of outputs
template <class T>
std::unique_ptr<VolumeSums<T>> make_volume_sums(const Stencil<T>& stencil,
                                                const RowKernels<T>& kernels, const Point& largest);

}  // namespace stencil::cpu
