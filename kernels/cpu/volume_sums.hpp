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
  /// Numbers of elements of scratch memory, and of pointers to rows, of every thread.
  virtual Index elements() const = 0;
  virtual Index pointers() const = 0;
  /// Sums one box.
  ///
  /// @param source  exactly the inputs of the target's outputs
  /// @param target  not larger than the largest box
  /// @param stream  use streaming stores; the caller calls finish_streaming
  /// @param memory, rows  scratch memory of this thread; its content is undefined afterwards
  virtual void sum(FieldView<const T> source, FieldView<T> target, bool stream, T* memory,
                   const T** rows) const = 0;
};

/// Returns the sums for the stencil's method, direct or separable. Missing points are not left out
/// of these sums.
///
/// @param stencil  must outlive the returned object
/// @param largest  extent of the largest box of outputs
template <class T>
std::unique_ptr<VolumeSums<T>> make_volume_sums(const Stencil<T>& stencil,
                                                const RowKernels<T>& kernels, const Point& largest);

}  // namespace stencil::cpu
