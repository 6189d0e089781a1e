#include "io/hdf5/element_type.hpp"

#include <array>

namespace stencil {
namespace {

constexpr std::array<const char*, 12> words{"int8",    "uint8",    "int16",   "uint16",
                                            "int32",   "uint32",   "int64",   "uint64",
                                            "float16", "bfloat16", "float32", "float64"};
constexpr std::array<std::size_t, 12> bytes{1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

}  // namespace

std::string to_string(ElementType type) {
  return words.at(static_cast<std::size_t>(type));
}

std::size_t size_of(ElementType type) {
  return bytes.at(static_cast<std::size_t>(type));
}

bool is_floating(ElementType type) {
  return type >= ElementType::float16;
}

}  // namespace stencil
