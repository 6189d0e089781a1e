#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/values.hpp"

namespace stencil {

/// Numbers, and the unit in which they are written.
struct UnitValues {
  std::vector<double> numbers;
  std::string unit;  ///< in the notation of UDUNITS; empty if there is none
};

/// Reads a list of numbers, optionally followed by a unit that applies to all of them: `100 50 km`.
///
/// @param most  upper bound of the length of the list
/// @throws BadValue  a number is out of range or cannot be read, there are too many numbers, the
///                   unit is unknown, or there is no blank before the unit
UnitValues to_unit_values(std::string_view text, const Range& range, std::size_t most);

}  // namespace stencil
