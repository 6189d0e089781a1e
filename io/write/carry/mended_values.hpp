#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "io/write/carry/axis_statements.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// One value of an attribute, with its object and its axis.
struct StatedValue {
  hid_t object = H5I_INVALID_HID;  ///< object with all attributes as in the input
  const Described* described = nullptr;
  const AxisStatement* statement = nullptr;
  std::size_t axis = 0, component = 0;
};

/// Returns the number that replaces `value`, so that the statement is valid for the output's
/// points; std::nullopt if this number is not certain.
std::optional<double> mended_number(const StatedValue& at, double value, const OutputSpec& spec);

/// Returns the date and time that replaces `text`, shifted to the output's points according to the
/// sampling rate; std::nullopt if this date is not certain. The date of an end is shifted only if
/// it is consistent with the date of the start in the same object.
std::optional<std::string> mended_date(const StatedValue& at, const std::string& text,
                                       const OutputSpec& spec);

}  // namespace stencil::storage
