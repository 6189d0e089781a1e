#include "io/hdf5/packed_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil::storage {
namespace {

/// Returns the number in an attribute, which may be text; NaN if the attribute does not contain
/// exactly one number.
double number_of(hid_t dataset, const char* name) {
  const auto numbers = attribute_numbers(dataset, name);
  if (numbers)
    return numbers->size() == 1 ? numbers->front() : std::numeric_limits<double>::quiet_NaN();
  try {
    return parse_element_value(attribute_text(dataset, name)).to_double();
  } catch (const WordsError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Returns the value of `_Unsigned`; std::nullopt if the attribute is missing or neither true nor
/// false.
std::optional<bool> is_unsigned(hid_t dataset) {
  std::string word = attribute_text(dataset, "_Unsigned");
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

}  // namespace

bool PackedNumbers::is_sound() const {
  return std::isfinite(scale_factor) && std::isfinite(add_offset) && scale_factor != 0;
}

PackedNumbers packed_numbers_of(hid_t dataset) {
  PackedNumbers packing;
  if (has_attribute(dataset, "scale_factor")) {
    packing.is_packed = true;
    packing.scale_factor = number_of(dataset, "scale_factor");
  }
  if (has_attribute(dataset, "add_offset")) {
    packing.is_packed = true;
    packing.add_offset = number_of(dataset, "add_offset");
  }
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_class(type) == H5T_INTEGER)
    if (const auto wanted = is_unsigned(dataset))
      packing.has_other_sign = *wanted == (H5Tget_sign(type) != H5T_SGN_NONE);
  return packing;
}

void unpack(hid_t dataset, const PackedNumbers& packing, std::vector<double>& numbers) {
  if (!packing.is_packed && !packing.has_other_sign) return;
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const int bits = static_cast<int>(8 * H5Tget_size(type));
  const double all = std::ldexp(1.0, bits);
  const bool is_signed = H5Tget_sign(type) != H5T_SGN_NONE;
  for (double& number : numbers) {
    if (packing.has_other_sign && is_signed && number < 0) number += all;
    if (packing.has_other_sign && !is_signed && number >= all / 2) number -= all;
    if (packing.is_packed) number = number * packing.scale_factor + packing.add_offset;
  }
}

ElementType other_sign(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return ElementType::uint8;
    case ElementType::uint8:
      return ElementType::int8;
    case ElementType::int16:
      return ElementType::uint16;
    case ElementType::uint16:
      return ElementType::int16;
    case ElementType::int32:
      return ElementType::uint32;
    case ElementType::uint32:
      return ElementType::int32;
    case ElementType::int64:
      return ElementType::uint64;
    case ElementType::uint64:
      return ElementType::int64;
    default:
      return type;
  }
}

ElementValue number_in(const ElementValue& value, ElementType stored, ElementType type) {
  if (stored == type) return value;
  return visit_element(stored, [&]<class From>(From bits) {
    return visit_element(type, [&]<class To>(To) -> ElementValue {
      if constexpr (std::is_integral_v<From> && std::is_integral_v<To>)
        if (!value.holds<To>() && value.holds<From>()) {
          bits = value.as<From>();
          return static_cast<To>(bits);
        }
      return value;
    });
  });
}

}  // namespace stencil::storage
