#pragma once

#include <vector>

#include "framework/grid/sampling.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Returns whether all values of an attribute with this meaning refer to one axis: a value for each
/// point, or indices of points.
bool is_of_a_list(Meaning meaning);

/// Adjusts a list to the points of the output. The list holds a value for each point of the input
/// (Meaning::values), or indices of points (begin_index, end_index, turn).
///
/// @param inputs  number of points of the input along the axis
/// @returns false, without changing the list, if the number of values is not `inputs`, if an output
///          point lies outside the input or combines several input points, or if a part of the axis
///          has no output points
bool mend_list(Meaning meaning, const AxisSampling& sampling, Index inputs,
               std::vector<double>& numbers);

}  // namespace stencil::storage
