#include "io/hdf5/element_type.hpp"

#include <array>

#include "io/hdf5/native_type.hpp"

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

}  // namespace stencil
