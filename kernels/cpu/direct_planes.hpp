#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Sums planes of outputs of a direct mask of three axes tap by tap, in the order of the mask, on
/// the calling thread.
template <class T>
class DirectPlanes {
 public:
  /// @param stencil, kernels  must outlive the object
  DirectPlanes(const Stencil<T>& stencil, const RowKernels<T>& kernels);

  /// Number of pointers to rows of scratch memory.
  Index pointers() const;

  /// Sums adjacent planes of outputs, whose inputs are adjacent planes, too. Rows of all planes are
  /// computed together, so that a row of inputs is in the first-level cache when it is read again.
  ///
  /// @param planes     for each of the `extent[batch_axis] + depth - 1` planes of inputs, the
  ///                   address of the input under the first tap of the first output. All inputs are
  ///                   in one array
  /// @param row_pitch  elements from row to row of the inputs
  /// @param targets    for each plane of outputs, the address of the first output
  /// @param extent     number of outputs along batch, y and x
  /// @param pitch      elements from row to row of the outputs
  /// @param stream     use streaming stores; the caller calls finish_streaming
  /// @param rows       scratch memory of pointers() pointers
  void sum(const T* const* planes, Index row_pitch, T* const* targets, const Point& extent,
           Index pitch, bool stream, const T** rows) const;

 private:
  void sum_by_rows(const T* const* planes, Index row_pitch, T* const* targets, const Point& extent,
                   Index pitch, bool stream, const T** rows) const;
  void sum_by_taps(const T* const* planes, Index row_pitch, T* const* targets, const Point& extent,
                   Index pitch, bool stream) const;

  /// A tap that is not skipped, and its place in the mask.
  struct Place {
    Index plane, row, column;
    T value;
  };

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  std::vector<Place> places_;
  Index group_;   ///< number of rows of outputs that are computed together
  bool by_rows_;  ///< each input is loaded once for all rows of a group
};

}  // namespace stencil::cpu
