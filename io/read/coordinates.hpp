#pragma once

#include <hdf5.h>

#include <optional>
#include <utility>
#include <vector>

#include "framework/grid/box.hpp"
#include "framework/grid/shape.hpp"
#include "io/hdf5/element_value.hpp"

// The values of coordinates are those that `scale_factor`, `add_offset` and `_Unsigned` give.

namespace stencil::storage {

/// How evenly spaced values follow each other, in their own unit.
struct Spacing {
  double step = 1;         ///< from one to the next; negative where they fall
  double uncertainty = 0;  ///< of the step, by the rounding of the values; 0 where all are exact
};

/// The spacing of a coordinate variable. Nothing unless it is numeric, one-dimensional, of the
/// given length (2 at least), and evenly spaced to a thousandth of the step and its rounding.
/// Integers are compared as integers, packed ones before they are scaled.
std::optional<Spacing> even_spacing(hid_t coordinate, Index length);

/// What is left out of coordinates that follow each other in equal steps elsewhere.
struct LeftOut {
  struct Place {
    Index before = 0;  ///< the index of the point after it
    Index points = 0;  ///< that are left out
  };
  double step = 1;  ///< elsewhere, of the values
  std::vector<Place> places;
};

/// The points that a coordinate variable leaves out. Nothing unless its values increase and are not
/// evenly spaced, at least nine in ten of its steps are equal to a tenth, and all other steps are
/// longer by at least half a step.
std::optional<LeftOut> left_out_of(hid_t coordinate, Index length);

/// Whether the values are floating-point numbers with too few digits for their spacing, such as
/// seconds since 1970 in float32: different neighbours are stored as the same number, or as numbers
/// whose difference is meaningless.
bool is_too_coarse(hid_t coordinate, Index length);

/// The first and the last value of a coordinate variable, in its own unit: nothing unless it is
/// numeric, stored in the file itself, one-dimensional and of the given length.
std::optional<std::pair<ElementValue, ElementValue>> ends_of(hid_t coordinate, Index length);

/// The value of one index, of a dataset as for ends_of().
std::optional<ElementValue> value_at(hid_t coordinate, Index length, Index index);

/// Whether the values are integers; those of packed integers are floating-point numbers.
bool holds_integers(hid_t dataset);

/// The indices of the values in `[low, high]`. Nothing unless the values, of a dataset as for
/// ends_of(), increase or decrease throughout. The values are compared as numbers of the type of
/// the limits: Index is for integers.
std::optional<Interval> ordered_within(hid_t coordinate, Index length, Index low, Index high);
std::optional<Interval> ordered_within(hid_t coordinate, Index length, double low, double high);

/// The number nearest to a value that the dataset's type, float32 or float64, can represent. For
/// packed integers, the value of a stored number if it differs only by rounding, otherwise the
/// value itself.
double nearest_stored(hid_t dataset, double value);

/// The values of a numeric dataset with at most this number of values, in row-major order; empty
/// for other datasets.
std::vector<double> few_numbers(hid_t dataset, Index most);

/// The value of a numeric dataset that holds exactly one.
std::optional<double> single_number(hid_t dataset);

}  // namespace stencil::storage
