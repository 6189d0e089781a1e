#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace stencil::generated {

/// Returns an initializer of an array `[height][width]` as text: the index of each tap among the
/// taps that are multiplied, row by row, or -1 for the other taps.
inline std::string tap_table(const std::vector<bool>& multiplied, int height, int width) {
  std::string table;
  int next = 0;
  for (int y = 0; y < height; ++y) {
    table += y == 0 ? "\n    {" : ",\n    {";
    for (int x = 0; x < width; ++x)
      table += fmt::format("{}{}", x == 0 ? "" : ", ",
                           multiplied[std::size_t(y * width + x)] ? next++ : -1);
    table += "}";
  }
  return table;
}

}  // namespace stencil::generated
