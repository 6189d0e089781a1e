#include "io/read/bank_rows.hpp"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/inspect.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {
namespace {

/// Parses an integer. A number that overflows 64 bits is clipped; no axis is so long.
std::optional<Index> number_in(std::string_view text) {
  Index number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || last != end) return std::nullopt;
  constexpr Index most = std::numeric_limits<Index>::max();
  if (error == std::errc::result_out_of_range) return text.front() == '-' ? -most : most;
  return number;
}

/// The meaning of the text in brackets: an index such as `3`, a slice, or neither.
using Rows = std::variant<std::monostate, Index, Slice>;

Rows rows_in(std::string_view text) {
  if (const auto row = number_in(text)) return *row;
  std::optional<Index> numbers[3];
  std::size_t parts = 0;
  for (bool is_last = false; !is_last; ++parts) {
    if (parts == 3) return {};
    const std::size_t colon = text.find(':');
    is_last = colon == text.npos;
    const std::string_view part = text.substr(0, colon);
    numbers[parts] = number_in(part);
    if (!part.empty() && !numbers[parts]) return {};
    text.remove_prefix(is_last ? text.size() : colon + 1);
  }
  const Index step = numbers[2].value_or(1);
  if (parts < 2 || step < 1) return {};
  return Slice{numbers[0], numbers[1], step};
}

/// Returns the selected points of the first axis.
AxisSelection taken(const Rows& rows, Index extent, const std::string& name) {
  if (const auto* slice = std::get_if<Slice>(&rows)) return points_of(*slice, extent, name);
  const Index row = std::get<Index>(rows), at = row < 0 ? row + extent : row;
  if (at < 0 || at >= extent)
    throw WordsError(fmt::format("{} has {} rows: write [0] to [{}] or [-1] to [-{}]", name, extent,
                                 extent - 1, extent));
  return {at, 1, 1};
}

}  // namespace

BankRows inspect_bank(const std::string& file, const std::string& name) {
  const std::size_t open = name.rfind('[');
  Rows rows;
  if (open != name.npos && name.ends_with(']'))
    rows = rows_in(std::string_view(name).substr(open + 1, name.size() - open - 2));
  try {
    return {inspect(file, name)};
  } catch (const WordsError&) {
    if (std::holds_alternative<std::monostate>(rows)) throw;
    DatasetFacts bank;
    try {
      bank = inspect(file, name.substr(0, open));
    } catch (const WordsError&) {
      // only the error of a missing dataset is ignored; an unreadable file throws a StorageError
    }
    const bool is_slice = std::holds_alternative<Slice>(rows);
    if (bank.dims.size() < (is_slice ? 1 : 2)) throw;  // rethrows the error for the whole name
    std::vector<AxisSelection> points{
        taken(rows, bank.dims[0], qualified_name(file, bank.dataset))};
    for (std::size_t axis = 1; axis < bank.dims.size(); ++axis)
      points.push_back({0, 1, bank.dims[axis]});
    BankRows result{select(bank, points), !is_slice};
    for (Index i = 0; is_slice && i < points[0].count; ++i)
      result.rows.push_back(points[0].first + i * points[0].step);
    return result;
  }
}

}  // namespace stencil::storage
