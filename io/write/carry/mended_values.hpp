#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "io/write/carry/axis_statements.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// One value of an attribute, and its place.
struct StatedValue {
  hid_t object = H5I_INVALID_HID;  ///< with all attributes as the input has them
  const Described* described = nullptr;
  const AxisStatement* statement = nullptr;
  std::size_t axis = 0, component = 0;
};

/// The number for the output's points; nothing if that is not certain.
std::optional<double> mended_number(const StatedValue& at, double value, const OutputSpec& spec);

/// The date and time for the output's points, moved by the sampling rate; nothing if that is not
/// certain: an end is only moved if it fits the start next to it.
std::optional<std::string> mended_date(const StatedValue& at, const std::string& text,
                                       const OutputSpec& spec);

}  // namespace stencil::storage
