#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// What the name of an attribute says by itself, in files of no known convention.
struct NamedQuantity {
  Meaning meaning = Meaning::constant;
  std::string_view axis;     ///< as Field::axis
  std::string_view spacing;  ///< as Field::spacing
  std::string unit;          ///< `Hz` of `SamplingFrequency[Hz]`, `s` of `dt_s`; empty: not named
  /// Whether the name always has the same meaning (`SamplingRate`, `dt`). Otherwise it only
  /// resembles the name of a rate, a spacing, a count, an extent, a start or an end
  /// (`gridSpacing`).
  bool is_certain = false;
};

/// @param name  the name of an attribute: `start_time` and `StartTime` are the same
/// @returns nothing for names that do not describe the points of an axis
std::optional<NamedQuantity> quantity_named(const std::string& name);

/// The name of the attribute without its unit: letters and digits alone, in lower case.
std::string plain_name(const std::string& name);

}  // namespace stencil::storage
