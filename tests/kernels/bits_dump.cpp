// Prints a line for each of some hundred stencils: its description and a checksum of the bits of
// its outputs. aarch64.py compares the lines of programs for two kinds of processors. Inputs and
// taps are made without functions of the mathematical library, whose last bits may differ between
// processors.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <random>

#include "kernels/method/method.hpp"
#include "tests/kernels/grid_data.hpp"

namespace {

using namespace stencil;

struct Draw {
  std::mt19937 random{20};

  /// A number between -2 and 2 with 20 random bits.
  double number() { return double(std::int32_t(random() >> 11)) * 0x1p-19 - 2; }
  Index below(Index n) { return Index(random() % std::uint32_t(n)); }
};

template <class T>
std::uint64_t checksum(const std::vector<T>& points) {
  std::uint64_t sum = 14695981039346656037u;  // FNV-1a
  const auto* bytes = reinterpret_cast<const unsigned char*>(points.data());
  for (std::size_t k = 0; k < points.size() * sizeof(T); ++k)
    sum = (sum ^ bytes[k]) * 1099511628211u;
  return sum;
}

template <class T>
void print_case(Draw& draw, Index height, Index width, bool outer,
                std::optional<double> min_valid) {
  // sums over valid points are divided by the sum of the valid taps, which must not be near 0
  const double least = min_valid ? 2.25 : 0.125;
  const Mask mask =
      stencil::testing::drawn_mask(height, width, outer, [&] { return draw.number() + least; });
  const std::array<Index, 2> stride{1 + draw.below(4) / 3, 1 + draw.below(6) / 3};
  const auto stencil =
      make_stencil<T>(mask, outer ? Method::separable : Method::direct, stride, min_valid);
  const Point extent{1 + draw.below(2), 1 + draw.below(40), 1 + draw.below(300)};
  stencil::testing::Grid<T> source(stencil::testing::inputs_for(stencil, extent), T(99)),
      target(extent, T(-1));
  source.set([&](Index, Index, Index) {
    const Index kind = draw.below(500);
    if (kind == 0 || (min_valid && kind < 60)) return std::numeric_limits<double>::quiet_NaN();
    return kind == 1 ? -std::numeric_limits<double>::infinity() : draw.number() / 3;
  });
  convolve_cpu<T>(stencil, source.read(), target.view());
  fmt::print("{} {}x{} {} stride {} {} of {}x{}x{} valid {}: {:016x}\n", sizeof(T) * 8, height,
             width, outer ? "separable" : "direct", stride[0], stride[1], extent[0], extent[1],
             extent[2], min_valid.value_or(-1), checksum(target.points_of()));
}

}  // namespace

int main() {
  Draw draw;
  for (int round = 0; round < 60; ++round) {
    const Index height = round % 5 == 0 ? 1 : 1 + draw.below(12);
    const Index width = round % 5 == 1 ? 1 : 1 + draw.below(round % 5 == 0 ? 200 : 16);
    for (const bool outer : {false, true})
      for (const std::optional<double> min_valid : {std::optional<double>(), std::optional(0.5)}) {
        print_case<float>(draw, height, width, outer, min_valid);
        print_case<double>(draw, height, width, outer, min_valid);
      }
  }
}
