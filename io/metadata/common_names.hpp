#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// The meaning of an attribute's name in files of no known convention.
struct NamedQuantity {
  Meaning meaning = Meaning::constant;
  std::string_view axis;     ///< see Field::axis
  std::string_view spacing;  ///< see Field::spacing
  std::string unit;  ///< `Hz` for `SamplingFrequency[Hz]`, `s` for `dt_s`; empty if the name
                     ///< contains no unit
  /// Whether the name always has this meaning (`SamplingRate`, `dt`). If false, the name only
  /// resembles the name of a rate, a spacing, a count, an extent, a start or an end
  /// (`gridSpacing`).
  bool is_certain = false;
};

/// Finds the meaning of an attribute's name.
/// @param name  spelling variants such as `start_time` and `StartTime` are equivalent
/// @returns std::nullopt for names that do not describe the points of an axis
std::optional<NamedQuantity> quantity_named(const std::string& name);

/// Returns the name of an attribute without its unit: only letters and digits, in lower case.
std::string plain_name(const std::string& name);

}  // namespace stencil::storage
