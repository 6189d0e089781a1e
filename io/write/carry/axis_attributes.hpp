#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/write/carry/axis_statements.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Adjusts the attributes of an object of the output that describe points along an axis: counts,
/// spacings, rates, starts, ends. An attribute that resampling makes wrong is adjusted to the
/// output's points if its axis and its meaning are certain. Otherwise the attribute is removed, and
/// `skipped` receives a note.
void mend_axis_attributes(hid_t object, const Described& described, const OutputSpec& spec,
                          Skipped& skipped);

/// Adjusts the numbers of a dataset next to the filtered dataset to the output's points.
///
/// @param described  the dataset, which a convention describes
/// @param numbers    the numbers of the input; empty if the dataset is not numeric
/// @returns whether the numbers are now valid for the output
bool mend_numbers(hid_t dataset, const Described& described, const OutputSpec& spec,
                  std::vector<double>& numbers);

/// Like mend_numbers(), for a date in a dataset that contains one text.
bool mend_text(hid_t dataset, const Described& described, const OutputSpec& spec,
               std::string& text);

}  // namespace stencil::storage
