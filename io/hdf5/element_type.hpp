#pragma once

#include <cstddef>
#include <string>

namespace stencil {

/// Element types of datasets, without byte order. They are named as in NumPy, and bfloat16 as in
/// libraries for machine learning.
enum class ElementType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64
};

std::string to_string(ElementType type);
std::size_t size_of(ElementType type);
/// Returns whether an element type is a floating-point type.
bool is_floating(ElementType type);

}  // namespace stencil
