#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace stencil {

/// Index or count along one axis: always 64-bit, and signed because ghost points left of 0 have
/// negative indices.
using Index = std::int64_t;

/// Number of axes of the normal form `[batch, y, x]`, x fastest. Every dataset is treated in this
/// form: a 1D signal is `[1, 1, n]`, a grid is `[1, ny, nx]`, a stack of grids is `[nb, ny, nx]`.
inline constexpr int axes = 3;

/// Names of the three axes, for use as indices of a Point.
enum Axis : int { batch_axis = 0, y_axis = 1, x_axis = 2 };

/// Name of an axis: `batch`, `y` or `x`.
std::string to_string(Axis axis);

/// One index per axis, in the order `[batch, y, x]`.
using Point = std::array<Index, axes>;

/// Product and sum of two numbers; throw ShapeError on overflow.
Index checked_multiply(Index a, Index b);
Index checked_add(Index a, Index b);

/// Number of points of a shape; 0 if any extent is 0. Throws ShapeError on overflow.
Index points(const Point& shape);

/// Formats a shape as in `256x1024x3`, the notation of the configuration and of all messages.
std::string to_string(const Point& shape);

}  // namespace stencil
