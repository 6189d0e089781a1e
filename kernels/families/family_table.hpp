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

/// The parameters of named masks: the value of every key that a family has, and its default. A list
/// that is `per_axis` (below) holds one value for all axes, or one per axis, y before x.
struct FamilyParameters {
  std::vector<double> sigma{};  ///< points
  std::vector<Index> order{0};
  double truncate = 4.0;          ///< in sigmas
  std::vector<double> radius{0};  ///< points; of a Gaussian 0: as `truncate` says
  std::vector<double> inner{};    ///< points
  double ratio = 1.6;             ///< of two sigmas
  std::vector<Index> size{};
  Index taps = 0;
  std::vector<double> cutoff{};  ///< in the unit of sampling_rate
  std::string window = "hamming";
  Index polyorder = -1;
  Index deriv = 0;
  double delta = 1.0;
  std::string shape{}, psd{};  ///< datasets, as `file.h5:/dataset`; empty: none
  std::vector<double> shape_values{}, psd_values{};  ///< no keys: the values of these datasets
  double sampling_rate = 0;  ///< no key: of the axis that the mask runs along, where needs_rate
};

/// A key of the configuration and the field that it is read into.
struct Parameter {
  std::string_view key;
  std::variant<double FamilyParameters::*, Index FamilyParameters::*,
               std::string FamilyParameters::*, std::vector<double> FamilyParameters::*,
               std::vector<Index> FamilyParameters::*>
      field;
  bool per_axis = false;
};

/// Why parameters do not go together.
struct BadParameter {
  std::string_view key;  ///< the one to change
  std::string why;       ///< what is wrong, and what to write instead
};

/// Taps along batch, y and x.
using Lists = std::array<std::vector<double>, 3>;

/// A mask that is made from keys instead of taps.
struct Family {
  std::string_view name;
  std::string_view doc;   ///< one line for the help
  std::string_view keys;  ///< in the order in which they are read; those without a default must be
                          ///< given
  bool one_dimensional = false;  ///< a filter along one axis, never over two
  bool needs_rate = false;       ///< designed for the sampling rate of its axis

  /// Taps along one axis of the mask: the first, 0, and so on up to x, the last. Over several axes
  /// the mask is the outer product of those along each, unless it has `across` or `grid`.
  /// @throws ShapeError  parameters that pass `check` but do not define a mask
  std::vector<double> (*along)(const FamilyParameters&, std::size_t axis);
  /// Over two axes: taps across the axis that `along` runs along. The family has a direction.
  std::vector<double> (*across)(const FamilyParameters&) = nullptr;
  /// Over two or three axes: taps that are not an outer product.
  Taps (*grid)(const FamilyParameters&, std::size_t axes) = nullptr;
  /// Of `grid` over three axes: the lists of taps whose products are summed; null: it is no such
  /// sum.
  std::vector<Lists> (*terms)(const FamilyParameters&) = nullptr;
  /// Order of the derivative that `along` takes; null: always 0. Taps of an even order are
  /// symmetric, those of an odd one antisymmetric; if the order is above 0, the unit of the output
  /// differs from that of the input.
  Index (*order)(const FamilyParameters&, std::size_t axis) = nullptr;
  /// Checks whether values that are in range one by one can be combined; null: any of them can.
  std::optional<BadParameter> (*check)(const FamilyParameters&) = nullptr;
};

/// In the order of the documentation.
std::span<const Family> all_families();
std::span<const Parameter> all_parameters();

/// Null where there is none.
const Family* find_family(std::string_view name);
const Parameter* find_parameter(std::string_view key);

/// The mask over two axes, without a centre.
///
/// @param axis  of a family that has a direction: 0 = y, 1 = x
/// @pre not one_dimensional
std::variant<Factors, Taps> taps_over_two_axes(const Family& family,
                                               const FamilyParameters& parameters,
                                               std::size_t axis);

/// The mask over three axes, with its centre in the middle, and with factors if it is a product of
/// one mask for each axis or a sum of such products. These multiply taps of 0, as Mask::outer.
///
/// @param axis    of a family that has a direction: 0 to 2
/// @param origin  as of Mask::volume
/// @pre not one_dimensional
/// @throws ShapeError  too many taps, a centre outside the mask
Mask mask_over_three_axes(const Family& family, const FamilyParameters& parameters,
                          std::size_t axis, const std::array<Index, 3>& origin);

/// Whether the mask over several axes is the product of one mask for each axis.
bool is_product(const Family& family);

/// Whether the mask differentiates along any axis.
bool is_derivative(const Family& family, const FamilyParameters& parameters);

}  // namespace stencil
