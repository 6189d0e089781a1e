#pragma once

#include <hdf5.h>

#include <optional>
#include <utility>
#include <vector>

#include "framework/grid/box.hpp"
#include "framework/grid/shape.hpp"
#include "io/hdf5/element_value.hpp"

// In this file, the value of a coordinate is its stored number after `scale_factor`, `add_offset`
// and `_Unsigned` have been applied.

namespace stencil::storage {

/// Spacing of evenly spaced values, in their unit.
struct Spacing {
  double step = 1;         ///< distance from one value to the next; negative for decreasing values
  double uncertainty = 0;  ///< uncertainty of the step due to rounding of the values; 0 if all
                           ///< values are exact
};

/// Returns the spacing of a coordinate variable; std::nullopt unless the variable is numeric,
/// one-dimensional, of the given length (at least 2), and evenly spaced within a thousandth of the
/// step plus rounding errors. Integers are compared as integers, packed integers before they are
/// scaled.
///
/// @param period  values that differ by a multiple of the period are the same coordinate: with 360,
///                for longitudes in degrees, the values 350, 355, 0, 5 are evenly spaced. 0 if
///                there is no period
std::optional<Spacing> even_spacing(hid_t coordinate, Index length, double period = 0);

/// A step of unevenly spaced coordinates.
struct UnevenStep {
  Index before = 0;            ///< the step leads from this point to the next one
  double step = 0, first = 0;  ///< this step, and the step between the first two points
};

/// Returns the first step of a coordinate variable that differs from the step between the first two
/// points by more than even_spacing() allows. If the steps drift so slowly that there is no such
/// step, returns the step that differs most. The result is std::nullopt unless even_spacing() could
/// read the values.
/// @param period  see even_spacing()
std::optional<UnevenStep> uneven_step(hid_t coordinate, Index length, double period = 0);

/// Returns all values of a coordinate variable; empty unless ends_of() can read them.
std::vector<double> values_of(hid_t coordinate, Index length);

/// Gaps in coordinates that are otherwise evenly spaced.
struct LeftOut {
  struct Place {
    Index before = 0;  ///< index of the point after the gap
    Index points = 0;  ///< number of missing points
  };
  double step = 1;  ///< step of the values outside gaps
  std::vector<Place> places;
};

/// Returns the gaps in a coordinate variable. The result is std::nullopt unless the values increase
/// and are not evenly spaced, at least 90 % of the steps are equal within 10 %, and each other step
/// is longer by at least half a step.
std::optional<LeftOut> left_out_of(hid_t coordinate, Index length);

/// Returns whether the values are floating-point numbers with too few digits for their spacing,
/// such as seconds since 1970 in float32: neighbouring values are then rounded to the same number,
/// or to numbers whose difference is meaningless.
bool is_too_coarse(hid_t coordinate, Index length);

/// Returns the first and the last value of a coordinate variable in its unit; std::nullopt unless
/// the variable is numeric, stored in its own file, one-dimensional and of the given length.
std::optional<std::pair<ElementValue, ElementValue>> ends_of(hid_t coordinate, Index length);

/// Returns the value at one index of a coordinate; std::nullopt as for ends_of().
std::optional<ElementValue> value_at(hid_t coordinate, Index length, Index index);

/// Returns whether the values are integers; the values of packed integers are floating-point
/// numbers.
bool holds_integers(hid_t dataset);

/// Returns the indices of the values in `[low, high]`. The result is std::nullopt unless the
/// coordinate can be read by ends_of() and its values are strictly monotonic. The values are
/// compared in the type of the limits: use Index for integers.
std::optional<Interval> ordered_within(hid_t coordinate, Index length, Index low, Index high);
std::optional<Interval> ordered_within(hid_t coordinate, Index length, double low, double high);

/// Returns the number that the dataset's type (float32 or float64) can represent and that is
/// nearest to a value. For packed integers, returns the value of the nearest stored number if that
/// value differs from `value` only by rounding, otherwise `value` itself.
double nearest_stored(hid_t dataset, double value);

/// Returns the values of a numeric dataset that has at most `most` values, in row-major order;
/// empty for other datasets.
std::vector<double> few_numbers(hid_t dataset, Index most);

/// Returns the value of a numeric dataset that has exactly one value; std::nullopt for other
/// datasets.
std::optional<double> single_number(hid_t dataset);

}  // namespace stencil::storage
