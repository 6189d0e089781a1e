#pragma once

#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/folded_array.hpp"
#include "drivers/pipeline/stage.hpp"

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

/// Checks that no mask extends along batch if several axes are folded into batch: such a mask would
/// reach beyond the end of one of these axes to points with another index along another of these
/// axes. @throws UsageError
void require_one_batch_axis(const std::vector<Stage>& stages, const AxisList& shape,
                            const AxisRoles& roles);

/// Returns whether two arrays may share memory, that is, their ranges of addresses overlap.
bool overlap(const AnyInput& input, const AnyOutput& output);

}  // namespace stencil
