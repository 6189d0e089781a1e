#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// A value that cannot be read: what() says why and what to write instead, but not yet its
/// location.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Numbers from `low` to `high`, both included; `open` excludes `low`.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;
};

/// `any`, `> 0`, `>= 0`, `1 .. 4096`, `> 0, at most 1`, as shown in messages and in the help.
std::string to_string(const Range& range);

/// A finite decimal number, independent of the locale.
/// @throws BadValue  not a number, not finite, or out of range.
double to_real(std::string_view text, const Range& range);

/// An integer; `1e3` and `4.0` are accepted too.
/// @throws BadValue  not a number, a fraction, beyond 64 bits, or out of range.
Index to_integer(std::string_view text, const Range& range);

/// `true yes on 1` or `false no off 0`.
bool to_flag(std::string_view text);

/// Bytes: a number and B, kB MB GB TB (powers of 1000), KiB MiB GiB TiB or K M G T (powers of 1024,
/// as Slurm reads them).
Index to_bytes(std::string_view text);

/// The end of the number at the start of a text; 0 if the text does not start with a number.
std::size_t number_end(std::string_view text);

/// Seconds, more than 0: a number and s, min, h, d or the name of the unit; or the formats of
/// Slurm's --time: min:s, h:min:s, d-h, d-h:min, d-h:min:s. A number alone is refused, because its
/// unit would be a guess.
double to_seconds(std::string_view text);

/// Extents as in `256x1024`.
std::vector<Index> to_extents(std::string_view text, const Range& range, std::size_t most);

/// Items separated by blanks, or by commas with or without blanks.
/// @throws BadValue  an empty item, as in `1,,2`.
std::vector<std::string_view> split_list(std::string_view text);

std::vector<double> to_reals(std::string_view text, const Range& range, std::size_t most);
std::vector<Index> to_integers(std::string_view text, const Range& range, std::size_t most);

}  // namespace stencil
