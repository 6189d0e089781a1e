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
/// @returns false, without changing the list, if the list is empty or if an output point lies
///          outside the input or combines several input points; for values, if their number is not
///          `inputs`; for indices, if an index is not an input point, if a begin index lies after
///          the last output point, or if an end index lies before the first
bool mend_list(Meaning meaning, const AxisSampling& sampling, Index inputs,
               std::vector<double>& numbers);

}  // namespace stencil::storage
