#pragma once

#include "drivers/pipeline/folded_array.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// Copies a box of an array's points and converts them to T. The box may extend beyond the edges of
/// the array or lie outside of it; points beyond the edges follow the boundary rules.
///
/// @param box   in indices of the array
/// @param tile  a view with the extent of the box
template <class T>
void read_tile(const FoldedArray<const std::byte>& array, const Box& box, const Boundary& boundary,
               FieldView<T> tile);

/// Converts points to the element type of an array, and writes them to a box of the array.
///
/// @param tile  a view with the extent of the box
/// @param box   within the array
/// @param cast  conversion to integers; NaN becomes 0
template <class T>
void write_tile(FieldView<const T> tile, const FoldedArray<std::byte>& array, const Box& box,
                IntegerCast cast);

}  // namespace stencil
