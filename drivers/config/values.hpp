#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// A value that cannot be read. what() gives the reason and a remedy, without the value's location.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The numbers from `low` to `high`, both included. If `open` is set, `low` is excluded.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;
};

/// Returns a text for messages and the help, such as "any number", "> 0", ">= 0", "1 .. 4096" or
/// "> 0, at most 1".
std::string to_string(const Range& range);

/// Reads a finite decimal number, independent of the locale.
/// @throws BadValue  the text is not a number, or the number is not finite or out of range.
double to_real(std::string_view text, const Range& range);

/// Reads an integer. `1e3` and `4.0` are accepted, too.
/// @throws BadValue  the text is not a number, or the number has a fraction, exceeds 64 bits or is
///                   out of range.
Index to_integer(std::string_view text, const Range& range);

/// Reads `true`, `yes`, `on` or `1` as true, and `false`, `no`, `off` or `0` as false.
bool to_flag(std::string_view text);

/// Reads a number of bytes: a number and one of the units B; kB, MB, GB, TB (powers of 1000); KiB,
/// MiB, GiB, TiB or K, M, G, T (powers of 1024, as in Slurm). A number without a unit is in bytes.
Index to_bytes(std::string_view text);

/// Returns the length of the number at the start of a text; 0 if the text does not start with a
/// number.
std::size_t number_end(std::string_view text);

/// Reads a positive time in seconds: a number and one of the units s, min, h and d or the full name
/// of the unit; or a format of Slurm's --time: min:s, h:min:s, d-h, d-h:min, d-h:min:s. A number
/// without a unit is refused because its unit is ambiguous.
double to_seconds(std::string_view text);

/// Reads extents such as `256x1024`. @throws BadValue there are more than `most` extents
std::vector<Index> to_extents(std::string_view text, const Range& range, std::size_t most);

/// Splits a list at blanks, and at commas with or without blanks.
/// @throws BadValue  an item is empty, as in `1,,2`.
std::vector<std::string_view> split_list(std::string_view text);

std::vector<double> to_reals(std::string_view text, const Range& range, std::size_t most);
std::vector<Index> to_integers(std::string_view text, const Range& range, std::size_t most);

}  // namespace stencil
