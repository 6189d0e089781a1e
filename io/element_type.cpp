#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/handle.hpp"
#include "io/native_type.hpp"

namespace stencil {
namespace {

constexpr std::array<const char*, 10> words{"int8",   "uint8", "int16",  "uint16",  "int32",
                                            "uint32", "int64", "uint64", "float32", "float64"};

}  // namespace

std::string to_string(ElementType type) {
  return words.at(static_cast<std::size_t>(type));
}

std::size_t size_of(ElementType type) {
  return storage::visit_element(type, [](auto value) { return sizeof value; });
}

ElementType element_type_from(const std::string& word) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (word == words[i]) return static_cast<ElementType>(i);
  throw WordsError(
      fmt::format("there is no element type `{}`: use one of {}", word, fmt::join(words, ", ")));
}

namespace storage {

hid_t native_type(ElementType type) {
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
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

std::optional<ElementType> element_type_of(hid_t file_type) {
  const H5T_class_t kind = H5Tget_class(file_type);
  const std::size_t size = H5Tget_size(file_type);
  if (kind == H5T_FLOAT) {
    if (size == 2 || size == 4) return ElementType::float32;
    if (size == 8) return ElementType::float64;
  }
  if (kind == H5T_INTEGER) {
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
