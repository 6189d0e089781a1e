#include "io/hdf5/element_type.hpp"

#include <array>

namespace stencil {
namespace {

constexpr std::array<const char*, 10> words{"int8",   "uint8", "int16",  "uint16",  "int32",
                                            "uint32", "int64", "uint64", "float32", "float64"};
constexpr std::array<std::size_t, 10> bytes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

}  // namespace

std::string to_string(ElementType type) {
  return words.at(static_cast<std::size_t>(type));
}

std::size_t size_of(ElementType type) {
  return bytes.at(static_cast<std::size_t>(type));
}

}  // namespace stencil
