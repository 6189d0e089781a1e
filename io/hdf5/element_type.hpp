#pragma once

#include <cstddef>
#include <string>

namespace stencil {

/// Element types of datasets, named as in NumPy, without byte order.
enum class ElementType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

std::string to_string(ElementType type);
std::size_t size_of(ElementType type);

}  // namespace stencil
