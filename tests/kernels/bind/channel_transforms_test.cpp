// Masks of channels by transforms: results, and bits in parts of the outputs.

#include "kernels/bind/channel_transforms.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "framework/device/cpu/cpu_executor.hpp"
#include "kernels/channels/channel_method.hpp"
#include "kernels/channels/channel_stencil.hpp"
#include "kernels/channels/convolve_channels_reference.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;

struct Case {
  Index images, out, in, height, width;
  std::array<Index, 2> stride;
  Index ny, nx;  ///< sides of the output
};

// The last three have so many outputs that they are computed in parts: along x by blocks, along y
// by tiles, and along x by tiles.
const std::vector<Case> cases{
    {1, 2, 2, 1, 33, {1, 1}, 1, 700},   {3, 2, 1, 1, 40, {1, 1}, 5, 900},
    {2, 2, 2, 50, 1, {1, 1}, 300, 33},  {1, 3, 4, 9, 11, {1, 1}, 90, 110},
    {2, 2, 2, 7, 5, {2, 3}, 60, 50},    {1, 2, 2, 1, 21, {1, 2}, 3, 400},
    {1, 2, 2, 30, 1, {3, 1}, 150, 20},  {1, 2, 2, 1, 17, {1, 1}, 1, 1'300'000},
    {1, 2, 2, 3, 3, {1, 1}, 1100, 600}, {1, 2, 2, 3, 5, {1, 1}, 130, 12'000}};

ChannelMask mask_of(const Case& c) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(c.out * c.in * c.height * c.width));
  for (double& value : values) value = normal(random);
  return make_channel_mask({c.out, c.in, c.height, c.width}, values);
}

MethodSite site_of(const Case& c) {
  MethodSite site{.stride = c.stride};
  site.world.outputs = {(c.ny - 1) * c.stride[0] + 1, (c.nx - 1) * c.stride[1] + 1};
  site.world.batch = c.images * c.in;
  site.axis_outputs = c.height == 1 ? c.nx : c.ny;
  site.lines = c.images * c.in * (c.height == 1 ? c.ny : c.nx);
  return site;
}

bool is_transformed(const Case& c, int axis) {
  return (c.height > 1 && c.width > 1) || axis == (c.height == 1 ? x_axis : y_axis);
}

/// Returns the inputs that outputs along one axis read, by index from the first input under the
/// first output of the axis.
Interval reads(const Case& c, const MethodChoice& choice, int axis, const Interval& outputs) {
  const Index stride = c.stride[axis == x_axis ? 1 : 0], all = axis == x_axis ? c.nx : c.ny;
  if (!is_transformed(c, axis)) return {outputs.first * stride, (outputs.last - 1) * stride + 1};
  const FftTiles& tiles = choice.tiles;
  return tiles.empty() ? choice.blocks.reads(outputs, stride, all)
                       : (axis == x_axis ? tiles.x : tiles.y).reads(outputs, stride, all);
}

Point inputs_of(const Case& c) {
  return {c.images * c.in, (c.ny - 1) * c.stride[0] + c.height, (c.nx - 1) * c.stride[1] + c.width};
}

/// Random numbers; if `wild`, a few of them are infinite or NaN.
template <class T>
Grid<T> points_for(const Case& c, bool wild) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Grid<T> grid(inputs_of(c), T(0), 3);
  return grid.set([&](Index, Index, Index) {
    const unsigned kind = wild ? random() % 3000 : 9;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::nan("77");
    return normal(random);
  });
}

/// Computes the outputs in `rows` and `columns` of all images.
template <class T>
std::vector<T> outputs_of(const Case& c, const Grid<T>& source, const Interval& rows,
                          const Interval& columns) {
  const ChannelMask mask = mask_of(c);
  const MethodChoice choice = choose_for_channels(mask, MethodRequest::fft, site_of(c));
  CpuExecutor executor;
  const auto bound = bind_channel_transforms<T>(executor, mask, choice, c.stride);
  Box inputs = make_box(inputs_of(c));
  inputs.set(y_axis, reads(c, choice, y_axis, rows));
  inputs.set(x_axis, reads(c, choice, x_axis, columns));
  Grid<T> target({c.images * c.out, rows.extent(), columns.extent()}, T(-7), 5);
  Anchor anchor;
  anchor.first_output = c.width > 1 ? columns.first : rows.first;
  anchor.axis_outputs = c.width > 1 ? c.nx : c.ny;
  anchor.first_row = rows.first;
  anchor.rows = c.ny;
  bound->run(source.read().window(inputs), target.view(), Lane::work, anchor);
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

std::string name_of(const Case& c) {
  return fmt::format("{} images, {} -> {} channels, {} x {} taps, {} x {} outputs", c.images, c.in,
                     c.out, c.height, c.width, c.ny, c.nx);
}

template <class T>
class ChannelTransforms : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ChannelTransforms, Types);

TYPED_TEST(ChannelTransforms, sums_are_those_of_the_definition) {
  using T = TypeParam;
  for (const Case& c : cases)
    for (const bool wild : {false, true}) {
      if (!wild && c.ny * c.nx > 500'000) continue;
      SCOPED_TRACE(name_of(c) + (wild ? ", wild" : ""));
      const Grid<T> source = points_for<T>(c, wild);
      const auto found = outputs_of<T>(c, source, {0, c.ny}, {0, c.nx});
      Grid<double> target({c.images * c.out, c.ny, c.nx}, 0.0);
      convolve_channels_reference(make_channel_stencil<T>(mask_of(c), c.stride), source.read(),
                                  target.view());
      const std::vector<double> expected = target.points_of();
      const double bound =
          40 * std::numeric_limits<T>::epsilon() * std::sqrt(double(c.in * c.height * c.width));
      ASSERT_EQ(found.size(), expected.size());
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < found.size(); ++k)
        wrong += std::isfinite(expected[k]) ? !(std::abs(found[k] - expected[k]) < 5 * bound)
                 : std::isnan(expected[k])  ? !std::isnan(found[k])
                                            : found[k] != expected[k];
      EXPECT_EQ(wrong, 0u);
    }
}

TYPED_TEST(ChannelTransforms, parts_of_the_outputs_have_the_bits_of_the_whole) {
  using T = TypeParam;
  for (const Case& c : cases) {
    SCOPED_TRACE(name_of(c));
    const Grid<T> source = points_for<T>(c, true);
    const auto whole = outputs_of<T>(c, source, {0, c.ny}, {0, c.nx});
    const Interval rows{c.ny / 3, c.ny - c.ny / 5}, columns{c.nx / 4, c.nx - c.nx / 7};
    const auto part = outputs_of<T>(c, source, rows, columns);
    std::vector<T> expected;
    for (Index b = 0; b < c.images * c.out; ++b)
      for (Index y = rows.first; y < rows.last; ++y)
        for (Index x = columns.first; x < columns.last; ++x)
          expected.push_back(whole[static_cast<std::size_t>((b * c.ny + y) * c.nx + x)]);
    ASSERT_EQ(part.size(), expected.size());
    EXPECT_EQ(std::memcmp(part.data(), expected.data(), part.size() * sizeof(T)), 0);
  }
}

}  // namespace
}  // namespace stencil
