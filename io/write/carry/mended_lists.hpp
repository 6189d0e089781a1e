#pragma once

#include <vector>

#include "framework/grid/sampling.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Returns whether all values of an attribute with this meaning refer to one axis: a value for each
/// point, or indices of points.
bool is_of_a_list(Meaning meaning);

/// Adjusts a list with a value for each point (Meaning::values), or indices of points (begin_index,
/// end_index, turn), to the output's points.
///
/// @param inputs  number of points of the input along the axis
/// @returns false, without changing the list, if the list does not have that many values, an output
///          lies beyond them or combines several of them, or a part of the axis has no points left
bool mend_list(Meaning meaning, const AxisSampling& sampling, Index inputs,
               std::vector<double>& numbers);

}  // namespace stencil::storage
