#pragma once

#include <string>
#include <string_view>

namespace stencil::storage {

/// A date whose parts are in the order of a convention: `date` (2024-05-01T00:10), `date d/m/y`
/// (01/05/2024 00:10), `date m/d/y` (05/01/2024 00:10). ` (UTC)` may follow.
class WrittenDate {
 public:
  /// @param order  see Field::unit
  WrittenDate(const std::string& text, std::string_view order);

  /// Returns the date without ` (UTC)`, its parts in the order of ISO 8601. If the date is not
  /// written in the order that was given to the constructor, its parts keep their order.
  const std::string& iso() const { return iso_; }

  /// Formats another date, given in the order of ISO 8601, in the same order and with the same
  /// suffix as this date.
  std::string written(const std::string& iso) const;

 private:
  std::string iso_, behind_;
  bool is_day_first_ = false, is_month_first_ = false;
};

}  // namespace stencil::storage
