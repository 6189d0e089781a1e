#pragma once

#include "drivers/pipeline/array_view.hpp"

namespace stencil {

/// Checks the extents of a shape.
/// @param name  the name of the argument, for messages
/// @throws UsageError  an axis has no points
void require_extents(const AxisList& shape, const char* name);

/// Checks an array. @throws UsageError  the pointer is null, the number of strides is not the
/// number of axes, or an axis has no points
template <class Byte>
void require_sound(const AnyArray<Byte>& array, const char* name);

/// @throws UsageError  points of the output may overlap because of its strides
void require_distinct_points(const AnyOutput& output);

/// Returns whether two arrays may share memory, that is, their ranges of addresses overlap.
bool overlap(const AnyInput& input, const AnyOutput& output);

}  // namespace stencil
