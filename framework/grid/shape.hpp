#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace stencil {

/// Index or count along one axis: 64-bit everywhere, signed so that ghosts left of 0 have an index.
using Index = std::int64_t;

/// Number of axes of the normal form `[batch, y, x]`, x fastest. Every dataset is treated in this
/// form: a 1D signal is `[1, 1, n]`, a grid is `[1, ny, nx]`, a stack of grids is `[nb, ny, nx]`.
inline constexpr int axes = 3;

/// The three axes by name; they are indices of a Point, too.
enum Axis : int { batch_axis = 0, y_axis = 1, x_axis = 2 };

/// `batch`, `y` or `x`
std::string to_string(Axis axis);

/// One index per axis, in the order `[batch, y, x]`.
using Point = std::array<Index, axes>;

/// Product and sum that throw ShapeError instead of wrapping around.
Index checked_multiply(Index a, Index b);
Index checked_add(Index a, Index b);

/// Number of points of a shape, overflow-checked; 0 when any extent is 0.
Index points(const Point& shape);

/// `256x1024x3`: the notation of the configuration and of all messages.
std::string to_string(const Point& shape);

}  // namespace stencil
