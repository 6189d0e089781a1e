#include "io/metadata/written_date.hpp"

#include <cctype>

namespace stencil::storage {
namespace {

constexpr std::size_t length = 10;  // number of characters of 01/05/2024 and of 2024-05-01
constexpr std::string_view utc = " (UTC)";

bool has_slashes(const std::string& text) {
  if (text.size() < length) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const bool is_slash = i == 2 || i == 5;
    if (is_slash ? text[i] != '/' : std::isdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return true;
}

}  // namespace

WrittenDate::WrittenDate(const std::string& text, std::string_view order) : iso_(text) {
  if (iso_.ends_with(utc)) {
    behind_ = utc;
    iso_.resize(iso_.size() - utc.size());
  }
  if (!has_slashes(iso_)) return;
  is_day_first_ = order == "date d/m/y";
  is_month_first_ = order == "date m/d/y";
  if (!is_day_first_ && !is_month_first_) return;
  const std::string first = iso_.substr(0, 2), second = iso_.substr(3, 2), year = iso_.substr(6, 4);
  const std::string& month = is_day_first_ ? second : first;
  const std::string& day = is_day_first_ ? first : second;
  iso_ = year + "-" + month + "-" + day + iso_.substr(length);
}

std::string WrittenDate::written(const std::string& iso) const {
  if ((!is_day_first_ && !is_month_first_) || iso.size() < length) return iso + behind_;
  const std::string year = iso.substr(0, 4), month = iso.substr(5, 2), day = iso.substr(8, 2);
  return (is_day_first_ ? day + "/" + month : month + "/" + day) + "/" + year + iso.substr(length) +
         behind_;
}

}  // namespace stencil::storage
