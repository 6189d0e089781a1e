// A bank of filters: the results of each filter have the same bits as a run with that filter alone,
// for every kernel and for every part of the outputs.

#include "kernels/bind/bind_bank.hpp"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "framework/device/cpu/cpu_executor.hpp"
#include "kernels/cpu/work_cut.hpp"
#include "kernels/method/method.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;

template <class T>
Grid<T> normal_points(const Point& extent, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Grid<T> grid(extent, std::numeric_limits<T>::quiet_NaN());
  return grid.set([&](Index, Index, Index) { return normal(random); });
}

std::vector<double> normal_taps(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> taps(static_cast<std::size_t>(count));
  for (double& tap : taps) tap = normal(random);
  return taps;
}

/// A bank of 1D masks: its taps, its blocks and the outputs to be computed.
struct Lines {
  Index width, points, outputs;
  bool along_y = false;
  Index stride = 1, batch = 1, across = 1, filters = 3;

  int axis() const { return along_y ? y_axis : x_axis; }
  Point extent(Index copies = 1) const {
    return along_y ? Point{batch * copies, outputs, across}
                   : Point{batch * copies, across, outputs};
  }
  template <class T>
  Stencil<T> stencil(Index filter, FftTables tables = FftTables::made) const {
    const Mask mask = Mask::line(normal_taps(width, unsigned(filter)), along_y ? y_axis : x_axis);
    const std::array<Index, 2> strides =
        along_y ? std::array<Index, 2>{stride, 1} : std::array<Index, 2>{1, stride};
    return make_stencil<T>(mask, Method::fft, strides, {}, {points, width}, {}, tables);
  }
};

/// Computes the outputs `[first, last)` along the axis of the masks with all filters together, and
/// compares them with the outputs of each filter alone.
template <class T>
void expect_bits_of_each(const Lines& c, const Grid<T>& all, const Interval& part) {
  CpuExecutor executor;
  std::vector<Stencil<T>> filters;
  for (Index k = 0; k < c.filters; ++k)
    filters.push_back(c.stencil<T>(k, k > 0 && !c.along_y ? FftTables::spectrum : FftTables::made));
  Box reads = make_box(all.read().extent);
  reads.set(c.axis(), filters[0].fft->blocks.reads(part, c.stride, c.outputs));
  Point extent = c.extent(c.filters), single = c.extent();
  extent[c.axis()] = single[c.axis()] = part.extent();
  const FieldView<const T> source = all.read().window(reads);
  const Anchor anchor{part.first, c.outputs};
  Grid<T> target(extent, T(-12345.5));
  bind_bank<T>(executor, filters)->run(source, target.view(), Lane::work, anchor);
  EXPECT_TRUE(target.guards_untouched());
  for (Index k = 0; k < c.filters; ++k) {
    Grid<T> alone(single, T(-12345.5));
    convolve_cpu<T>(c.stencil<T>(k), source, alone.view(), anchor);
    std::vector<T> found;
    for (Index b = 0; b < c.batch; ++b)
      for (Index y = 0; y < single[1]; ++y)
        for (Index x = 0; x < single[2]; ++x)
          found.push_back(target.read().at(b * c.filters + k, y, x));
    expect_same_bits(
        found, alone.points_of(),
        fmt::format("filter {} of {} taps, outputs {} to {}", k, c.width, part.first, part.last));
  }
}

template <class T>
void expect_bits_of_lines(const Lines& c) {
  Point inputs = c.extent();
  inputs[c.axis()] = (c.outputs - 1) * c.stride + c.width;
  Grid<T> all = normal_points<T>(inputs, 7);
  const Index last = c.outputs;
  for (const bool is_finite : {true, false}) {
    if (!is_finite) {  // one pair of blocks is summed tap by tap
      Box middle = make_box(inputs);
      middle.set(c.axis(), {inputs[c.axis()] / 2, inputs[c.axis()] / 2 + 1});
      all.view().window(middle).at(0, 0, 0) = std::numeric_limits<T>::quiet_NaN();
    }
    for (const Interval part :
         {Interval{0, last}, Interval{last / 3, last / 3 + 1}, Interval{last / 5, last - last / 7}})
      expect_bits_of_each<T>(c, all, part);
  }
}

/// Outputs that are large enough to be streamed past the caches. Only aligned rows are streamed:
/// here every second row.
template <class T>
void expect_bits_of_streamed_lines() {
  constexpr Index line = 64 / sizeof(T);
  const Lines c{100, 512, 800 * 601, false, 1, 1, 5, 2};
  const Grid<T> all = normal_points<T>({1, c.across, c.outputs + c.width - 1}, 8);
  const Index pitch = c.outputs + line / 2, size = c.across * pitch;
  std::vector<T> memory(c.filters * size + line, T(-1));
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const FieldView<T> target{memory.data() + (64 - address % 64) % 64 / sizeof(T),
                            c.extent(c.filters), size, pitch};
  ASSERT_TRUE(cpu::worth_streaming(double(points(target.extent)) * sizeof(T)));
  CpuExecutor executor;
  std::vector<Stencil<T>> filters;
  for (Index k = 0; k < c.filters; ++k) filters.push_back(c.stencil<T>(k));
  bind_bank<T>(executor, filters)->run(all.read(), target, Lane::work, {0, c.outputs});
  for (Index k = 0; k < c.filters; ++k) {
    Grid<T> alone(c.extent(), T(-12345.5));
    convolve_cpu<T>(filters[k], all.read(), alone.view());
    for (Index y = 0; y < c.across; ++y) {
      ASSERT_EQ(std::memcmp(&target.at(k, y, 0), &alone.read().at(0, y, 0), c.outputs * sizeof(T)),
                0)
          << "filter " << k << ", row " << y;
      ASSERT_EQ(target.at(k, y, c.outputs), T(-1)) << "after row " << y;
    }
  }
}

TEST(Bank, has_the_bits_of_each_filter_in_streamed_lines) {
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    if (!available(extension)) continue;
    const Conditions conditions(extension, 2);
    expect_bits_of_streamed_lines<float>();
    expect_bits_of_streamed_lines<double>();
  }
}

TEST(Bank, has_the_bits_of_each_filter_along_lines) {
  for (const Lines& c : std::vector<Lines>{{130, 256, 3 * 2 * 112 + 5},
                                           {64, 1024, 7000, false, 3, 1, 1, 5},
                                           {90, 512, 3000, false, 4, 1, 3, 2},
                                           {241, 256, 100, false, 1, 2, 3, 2},
                                           {600, 4096, 15000, false, 1, 1, 2, 4},
                                           {33, 256, 1000, false, 7, 3, 5, 1}}) {
    expect_bits_of_lines<float>(c);
    expect_bits_of_lines<double>(c);
  }
}

TEST(Bank, has_the_bits_of_each_filter_along_columns) {
  expect_bits_of_lines<float>({130, 512, 700, true, 2, 1, 19});
  expect_bits_of_lines<double>({31, 256, 500, true, 1, 2, 7});
}

TEST(Bank, has_the_same_bits_by_every_vector_extension_and_thread_count) {
  for (const char* const extension : {"baseline", "avx2", "avx512"})
    for (const int threads : {1, 3}) {
      if (!available(extension)) continue;
      const Conditions conditions(extension, threads);
      expect_bits_of_lines<float>({900, 8192, 30000, false, 1, 1, 1, 3});
    }
}

/// The view contains the inputs of whole blocks; a filter that is summed tap by tap reads only a
/// part of these inputs.
void expect_mixed_lines(const Lines& c) {
  CpuExecutor executor;
  std::vector<Stencil<double>> filters;
  for (Index k = 0; k < c.filters; ++k) {
    filters.push_back(c.stencil<double>(k));
    if (k != 1) filters[k].method = Method::direct, filters[k].fft.reset();
  }
  Point inputs = c.extent(), extent = c.extent(c.filters), single = c.extent();
  inputs[c.axis()] = (c.outputs - 1) * c.stride + c.width;
  const Grid<double> all = normal_points<double>(inputs, 7);
  const Interval part{c.outputs * 2 / 3, c.outputs - 1};
  const auto view = [&](const Interval& along) {
    Box box = make_box(inputs);
    box.set(c.axis(), along);
    return all.read().window(box);
  };
  const auto whole = view(filters[1].fft->blocks.reads(part, c.stride, c.outputs)),
             under = view({part.first * c.stride, (part.last - 1) * c.stride + c.width});
  ASSERT_NE(whole.data, under.data);
  extent[c.axis()] = single[c.axis()] = part.extent();
  const Anchor anchor{part.first, c.outputs};
  Grid<double> target(extent, -1.5);
  bind_bank<double>(executor, filters)->run(whole, target.view(), Lane::work, anchor);
  for (Index k = 0; k < c.filters; ++k) {
    Grid<double> alone(single, -1.5);
    convolve_cpu<double>(filters[k], k == 1 ? whole : under, alone.view(), anchor);
    Box own = make_box(extent);
    own.set(batch_axis, {k, k + 1});
    const FieldView<double> found = target.view().window(own);
    for (Index y = 0; y < single[1]; ++y)
      for (Index x = 0; x < single[2]; ++x)
        ASSERT_EQ(found.at(0, y, x), alone.read().at(0, y, x)) << k << ", " << y << ", " << x;
  }
}

TEST(Bank, mixes_filters_by_blocks_with_others) {
  expect_mixed_lines({100, 256, 2000});
  expect_mixed_lines({100, 256, 700, false, 3, 1, 4});
  expect_mixed_lines({100, 256, 700, true, 2, 1, 9});
}

/// The view contains the inputs of whole tiles; a filter that is summed tap by tap reads only a
/// part of these inputs.
TEST(Bank, mixes_filters_by_tiles_with_others) {
  CpuExecutor executor;
  const FftTiles tiles{{64, 9, 1}, {64, 5, fft_tile_unit}};
  const std::array<Index, 2> stride{2, 1};
  const Index rows = 70, columns = 200;
  std::vector<Stencil<float>> filters;
  for (const Method method : {Method::direct, Method::fft, Method::separable, Method::fft}) {
    std::vector<double> taps = normal_taps(45, unsigned(filters.size()));
    if (method == Method::separable)
      for (Index i = 5; i < 45; ++i) taps[i] = taps[i % 5] * double(i / 5);
    Mask mask = Mask::grid(taps, 9, 5);
    if (method == Method::separable)
      mask = choose_method(mask, MethodRequest::separable, 1e-7).mask;
    filters.push_back(make_stencil<float>(mask, method, stride, {}, {}, tiles));
  }
  const Point inputs{2, (rows - 1) * 2 + 9, columns + 4};
  const Grid<float> all = normal_points<float>(inputs, 3);
  const Interval y{11, 60}, x{3, 190};
  const auto view = [&](const Interval& down, const Interval& across) {
    Box box = make_box(inputs);
    box.set(y_axis, down);
    box.set(x_axis, across);
    return all.read().window(box);
  };
  const FieldView<const float> whole =
                                   view(tiles.y.reads(y, 2, rows), tiles.x.reads(x, 1, columns)),
                               under = view({22, 59 * 2 + 9}, {3, 194});
  const Anchor anchor{x.first, columns, y.first, rows};
  Grid<float> target({8, y.extent(), x.extent()}, -1.5f);
  bind_bank<float>(executor, filters)->run(whole, target.view(), Lane::work, anchor);
  for (std::size_t k = 0; k < filters.size(); ++k) {
    Grid<float> alone({2, y.extent(), x.extent()}, -1.5f);
    convolve_cpu<float>(filters[k], filters[k].fft_tiles ? whole : under, alone.view(), anchor);
    std::vector<float> found;
    for (const Index b : {Index(k), Index(k) + 4})
      for (Index row = 0; row < y.extent(); ++row)
        for (Index column = 0; column < x.extent(); ++column)
          found.push_back(target.read().at(b, row, column));
    expect_same_bits(found, alone.points_of(), fmt::format("filter {}", k));
  }
}

}  // namespace
}  // namespace stencil
