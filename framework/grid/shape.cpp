#include "framework/grid/shape.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"

namespace stencil {

Index checked_multiply(Index a, Index b) {
  Index product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw ShapeError(fmt::format("{} times {} does not fit into 64 bits", a, b));
  return product;
}

Index checked_add(Index a, Index b) {
  Index sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    throw ShapeError(fmt::format("{} plus {} does not fit into 64 bits", a, b));
  return sum;
}

Index points(const Point& shape) {
  for (Index extent : shape)
    if (extent == 0) return 0;
  return checked_multiply(checked_multiply(shape[0], shape[1]), shape[2]);
}

std::string to_string(Axis axis) {
  switch (axis) {
    case batch_axis:
      return "batch";
    case y_axis:
      return "y";
    case x_axis:
      return "x";
  }
  return fmt::format("{}, which is none of batch_axis, y_axis and x_axis", int{axis});
}

std::string to_string(const Point& shape) {
  return fmt::format("{}x{}x{}", shape[0], shape[1], shape[2]);
}

}  // namespace stencil
