#include "io/hdf5/native_type.hpp"

#include <strings.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil {
namespace storage {

namespace {

/// Returns a floating-point type of 16 bits, of which 1 is the sign. The identifier is never
/// closed.
hid_t short_float_type(std::size_t exponent_bits) {
  const std::size_t fraction_bits = 15 - exponent_bits;
  const hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);
  H5Tset_fields(type, 15, fraction_bits, exponent_bits, 0, fraction_bits);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, (std::size_t{1} << (exponent_bits - 1)) - 1);
  return type;
}

}  // namespace

hid_t native_type(ElementType type) {
  static const hid_t float16 = short_float_type(5), bfloat16 = short_float_type(8);
  switch (type) {
    case ElementType::int8:
      return H5T_NATIVE_INT8;
    case ElementType::uint8:
      return H5T_NATIVE_UINT8;
    case ElementType::int16:
      return H5T_NATIVE_INT16;
    case ElementType::uint16:
      return H5T_NATIVE_UINT16;
    case ElementType::int32:
      return H5T_NATIVE_INT32;
    case ElementType::uint32:
      return H5T_NATIVE_UINT32;
    case ElementType::int64:
      return H5T_NATIVE_INT64;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::float16:
      return float16;
    case ElementType::bfloat16:
      return bfloat16;
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

bool is_standard_float(hid_t type) {
  struct Format {
    std::size_t bytes, exponent_bits, fraction_bits, bias;
  };
  constexpr std::array<Format, 4> formats{
      {{2, 5, 10, 15}, {2, 8, 7, 127}, {4, 8, 23, 127}, {8, 11, 52, 1023}}};
  const H5T_order_t order = H5Tget_order(type);
  std::size_t sign = 0, exponent = 0, exponent_bits = 0, fraction = 0, fraction_bits = 0;
  if (H5Tget_class(type) != H5T_FLOAT || (order != H5T_ORDER_LE && order != H5T_ORDER_BE) ||
      H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits) < 0)
    return false;
  const std::size_t bytes = H5Tget_size(type), bits = 8 * bytes;
  const bool is_packed = H5Tget_precision(type) == bits && H5Tget_offset(type) == 0 &&
                         sign == bits - 1 && exponent == fraction_bits && fraction == 0;
  return is_packed && H5Tget_norm(type) == H5T_NORM_IMPLIED &&
         std::any_of(formats.begin(), formats.end(), [&](const Format& format) {
           return format.bytes == bytes && format.exponent_bits == exponent_bits &&
                  format.fraction_bits == fraction_bits && format.bias == H5Tget_ebias(type);
         });
}

namespace {

/// Returns whether all bits of an integer type lie within its bytes; the result of HDF5's
/// conversion is undefined for other types.
bool is_sound_integer(hid_t type) {
  const H5T_order_t order = H5Tget_order(type);
  const auto size = static_cast<Index>(H5Tget_size(type));
  const auto precision = static_cast<Index>(H5Tget_precision(type));
  const int offset = H5Tget_offset(type);
  return (order == H5T_ORDER_LE || order == H5T_ORDER_BE) && precision > 0 && offset >= 0 &&
         precision + offset <= 8 * size;
}

/// Returns whether a member of an enumeration has the given name, ignoring case, and the given
/// value.
bool is_member(hid_t type, unsigned member, std::string_view name, std::int64_t value) {
  char* const found = H5Tget_member_name(type, member);
  const bool is_name = found && std::string_view(found).size() == name.size() &&
                       ::strncasecmp(found, name.data(), name.size()) == 0;
  H5free_memory(found);
  const Handle base(H5Tget_super(type), H5Tclose);
  std::int64_t number = 0;
  return is_name && H5Tget_class(base) == H5T_INTEGER && is_sound_integer(base) &&
         H5Tget_size(base) <= sizeof number && H5Tget_member_value(type, member, &number) >= 0 &&
         H5Tconvert(base, H5T_NATIVE_INT64, 1, &number, nullptr, H5P_DEFAULT) >= 0 &&
         number == value;
}

bool is_boolean(hid_t type) {
  if (H5Tget_class(type) != H5T_ENUM || H5Tget_nmembers(type) != 2) return false;
  return (is_member(type, 0, "FALSE", 0) && is_member(type, 1, "TRUE", 1)) ||
         (is_member(type, 1, "FALSE", 0) && is_member(type, 0, "TRUE", 1));
}

bool is_whole_bit_field(hid_t type) {
  return H5Tget_class(type) == H5T_BITFIELD && is_sound_integer(type) &&
         H5Tget_precision(type) == 8 * H5Tget_size(type);
}

}  // namespace

Handle first_memory_type(hid_t file_type, ElementType type) {
  Handle first(H5Tcopy(native_type(type)), H5Tclose);
  const std::size_t size = H5Tget_size(file_type);
  if (H5Tget_class(file_type) == H5T_INTEGER && size == size_of(type) &&
      H5Tget_precision(file_type) < 8 * size)
    H5Tset_order(first, H5Tget_order(file_type));
  return first;
}

Handle number_type(hid_t file_type) {
  if (is_boolean(file_type)) return {H5Tget_super(file_type), H5Tclose};
  if (is_whole_bit_field(file_type)) {
    Handle type(H5Tcopy(H5T_NATIVE_UINT8), H5Tclose);
    H5Tset_precision(type, H5Tget_precision(file_type));
    H5Tset_order(type, H5Tget_order(file_type));
    return type;
  }
  return {H5Tcopy(file_type), H5Tclose};
}

std::optional<ElementType> element_type_of(hid_t stored) {
  const Handle file_type = number_type(stored);
  const H5T_class_t kind = H5Tget_class(file_type);
  const std::size_t size = H5Tget_size(file_type);
  if (kind == H5T_FLOAT) {
    if (!is_standard_float(file_type)) return std::nullopt;
    if (size == 2)
      return H5Tget_ebias(file_type) == 15 ? ElementType::float16 : ElementType::bfloat16;
    return size == 8 ? ElementType::float64 : ElementType::float32;
  }
  if (kind == H5T_INTEGER && is_sound_integer(file_type)) {
    const bool has_sign = H5Tget_sign(file_type) != H5T_SGN_NONE;
    if (size == 1) return has_sign ? ElementType::int8 : ElementType::uint8;
    if (size == 2) return has_sign ? ElementType::int16 : ElementType::uint16;
    if (size == 3 || size == 4) return has_sign ? ElementType::int32 : ElementType::uint32;
    if (size > 4 && size <= 8) return has_sign ? ElementType::int64 : ElementType::uint64;
  }
  return std::nullopt;
}

}  // namespace storage
}  // namespace stencil
