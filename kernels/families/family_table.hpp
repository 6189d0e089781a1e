#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Parameters of named masks: the values of all keys of the families, with their defaults. A list
/// that is `per_axis` (see Parameter) has one value for all axes, or one per axis, y before x.
struct FamilyParameters {
  std::vector<double> sigma{};  ///< in points, or in the unit `sigma_unit`
  std::string sigma_unit{};     ///< empty for points; this member is not a key
  std::vector<Index> order{0};
  double truncate = 4.0;          ///< in standard deviations
  std::vector<double> radius{0};  ///< in points; Gaussian: 0 means that `truncate` decides
  std::vector<double> inner{};    ///< points
  double ratio = 1.6;             ///< ratio of two standard deviations
  std::vector<Index> size{};
  Index taps = 0;
  std::vector<double> cutoff{};  ///< frequencies in the unit of sampling_rate
  std::string window = "hamming";
  Index polyorder = -1;
  Index deriv = 0;
  /// Spacing of the points in the unit of the axis, below 0 if its coordinates decrease. If the
  /// list is empty, the spacing is 1, and sobel and prewitt are the sums that SciPy computes.
  /// Otherwise sobel and prewitt are derivatives.
  std::vector<double> delta{};
  /// Whether `delta` must be replaced by the spacing of the coordinates; this member is not a key.
  bool delta_of_coordinates = false;
  std::string shape{}, psd{};  ///< datasets, as `file.h5:/dataset`, or empty for none
  /// The values of these datasets; these two members are not keys.
  std::vector<double> shape_values{}, psd_values{};
  /// The sampling rate of the mask's axis, for families with needs_rate; this member is not a key.
  double sampling_rate = 0;
};

/// Returns `delta` along an axis of the mask; 1 if it is not given.
double delta_along(const FamilyParameters& parameters, std::size_t axis);

/// A key of the configuration and the corresponding member of FamilyParameters.
struct Parameter {
  std::string_view key;
  std::variant<double FamilyParameters::*, Index FamilyParameters::*,
               std::string FamilyParameters::*, std::vector<double> FamilyParameters::*,
               std::vector<Index> FamilyParameters::*>
      field;
  bool per_axis = false;
};

/// Reason why parameters cannot be combined.
struct BadParameter {
  std::string_view key;  ///< the key to change
  std::string why;       ///< the problem, and what to write instead
};

/// Lists of taps along batch, y and x.
using Lists = std::array<std::vector<double>, 3>;

/// A family of masks that are computed from keys instead of given by taps.
struct Family {
  std::string_view name;
  std::string_view doc;   ///< one line for the help text
  std::string_view keys;  ///< keys in the order of reading; keys without a default are required
  bool one_dimensional = false;  ///< a filter along one axis only
  bool needs_rate = false;       ///< depends on the sampling rate of its axis

  /// Returns the taps along one axis of the mask; `axis` is 0 for the first axis, and x is the
  /// last. Over several axes the mask is the outer product of these taps, unless the family has
  /// `across` or `grid`.
  /// @throws ShapeError  the parameters pass `check` but do not define a mask
  std::vector<double> (*along)(const FamilyParameters&, std::size_t axis);
  /// Returns the taps along the other axis of a mask over two axes, whose first factor is `along`.
  /// Null for families without a direction.
  std::vector<double> (*across)(const FamilyParameters&) = nullptr;
  /// Returns the taps over two or three axes, for a mask that is not an outer product.
  Taps (*grid)(const FamilyParameters&, std::size_t axes) = nullptr;
  /// For `grid` over three axes: returns the lists of taps whose products are summed. Null if the
  /// mask is not such a sum.
  std::vector<Lists> (*terms)(const FamilyParameters&) = nullptr;
  /// Returns the order of the derivative in `along`. If null, the order is always 0. Taps of an
  /// even order are symmetric, taps of an odd order antisymmetric. If the order is above 0, the
  /// unit of the output differs from that of the input.
  Index (*order)(const FamilyParameters&, std::size_t axis) = nullptr;
  /// Checks whether values that are valid one by one can be combined. If null, all combinations are
  /// valid.
  std::optional<BadParameter> (*check)(const FamilyParameters&) = nullptr;
};

/// All families and parameters, in the order of the documentation.
std::span<const Family> all_families();
std::span<const Parameter> all_parameters();

/// Returns the entry with this name, or null if there is none.
const Family* find_family(std::string_view name);
const Parameter* find_parameter(std::string_view key);

/// Returns the mask over two axes: its factors if it is an outer product, otherwise its taps. The
/// result does not include the position of the mask's centre.
///
/// @param axis  for families with a direction: 0 = y, 1 = x
/// @pre not one_dimensional
std::variant<Factors, Taps> taps_over_two_axes(const Family& family,
                                               const FamilyParameters& parameters,
                                               std::size_t axis);

/// Returns the mask over three axes, with its centre in the middle. The mask has factors if it is a
/// product of one mask for each axis, or a sum of such products. Taps of 0 are then multiplied by
/// their inputs, as for Mask::outer.
///
/// @param axis    for families with a direction: 0 to 2
/// @param origin  see Mask::volume
/// @pre not one_dimensional
/// @throws ShapeError  too many taps, a centre outside the mask
Mask mask_over_three_axes(const Family& family, const FamilyParameters& parameters,
                          std::size_t axis, const std::array<Index, 3>& origin);

/// Returns whether the mask over several axes is the product of one mask for each axis.
bool is_product(const Family& family);

/// Returns whether the mask differentiates along any axis.
bool is_derivative(const Family& family, const FamilyParameters& parameters);

}  // namespace stencil
