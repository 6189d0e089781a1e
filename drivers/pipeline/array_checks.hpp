#pragma once

#include "drivers/pipeline/array_view.hpp"

namespace stencil {

/// @param name  the name of the argument, for messages
/// @throws UsageError  an axis without points
void require_extents(const AxisList& shape, const char* name);

/// @throws UsageError  a null pointer, another number of strides than axes, an axis without points
template <class Byte>
void require_sound(const AnyArray<Byte>& array, const char* name);

/// @throws UsageError  strides that may make points of an output overlap
void require_distinct_points(const AnyOutput& output);

/// Whether two arrays may have memory in common: their ranges of addresses overlap.
bool overlap(const AnyInput& input, const AnyOutput& output);

}  // namespace stencil
