#pragma once

#include "drivers/pipeline/folded_array.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// Copies a box of an array's points, which may reach beyond its edges or lie outside of them, and
/// converts them to T. Points beyond the edges follow the boundary rules.
///
/// @param box   in indices of the array
/// @param tile  of the box's extent
template <class T>
void read_tile(const FoldedArray<const std::byte>& array, const Box& box, const Boundary& boundary,
               FieldView<T> tile);

/// Converts points to the type of an array, and writes them to a box of it.
///
/// @param tile  of the box's extent
/// @param box   within the array
/// @param cast  for arrays of integers. NaN becomes 0
template <class T>
void write_tile(FieldView<const T> tile, const FoldedArray<std::byte>& array, const Box& box,
                IntegerCast cast);

}  // namespace stencil
