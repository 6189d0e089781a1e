// Benchmarks of all CUDA kernels that support a mask, such as `kernels/7x5/f32` and
// `kernels/separable/23x23/f64`, measured in turn with a copy of the same arrays. `chosen` is the
// launch that a run makes; its label names the chosen kernel. `/odd` marks grids of 9973 x 15013
// points. Only in builds with CUDA; without a GPU or without NVRTC no case is registered.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drivers/stencil_bench/beside_copy.hpp"
#include "drivers/stencil_bench/cases.hpp"
#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/cuda/uploaded.hpp"
#include "kernels/generated/nvrtc.hpp"

namespace {

using namespace stencil;

struct MaskCase {
  std::string name;
  Index height, width;
  bool is_star = false;
  bool is_separable = false;
  Index terms = 1;  ///< number of terms of a sum of separable masks
};

/// Returns a mask of taps without a symmetry; a star has taps only on its axes.
Mask mask_of(const MaskCase& c) {
  const auto tap = [](double n) { return 1.5 + std::sin(3 + 1.7 * (n * n + 1)); };
  if (c.terms > 1) return bench::sum_of_outer(c.width, c.terms);
  if (c.is_separable) {
    std::vector<double> column, row;
    for (Index y = 0; y < c.height; ++y) column.push_back(tap(double(y)));
    for (Index x = 0; x < c.width; ++x) row.push_back(tap(double(x + 100)));
    return Mask::outer(std::move(column), std::move(row));
  }
  std::vector<double> taps;
  for (Index y = 0; y < c.height; ++y)
    for (Index x = 0; x < c.width; ++x) {
      const auto n = double(y * c.width + x);
      const bool zero = c.is_star && y != c.height / 2 && x != c.width / 2;
      taps.push_back(zero ? 0 : tap(n));
    }
  if (c.height > 1 && c.width > 1) return Mask::grid(std::move(taps), c.height, c.width);
  return Mask::line(std::move(taps), c.width == 1 ? y_axis : x_axis);
}

cuda::CudaExecutor& gpu() {
  static cuda::CudaExecutor executor(0);
  return executor;
}

template <class T>
Field<T> random_field(const Point& owned, Index height, Index width) {
  const Index y = height / 2, x = width / 2;
  Field<T> field(gpu(), {make_box(owned), {{0, y, x}, {0, height - 1 - y, width - 1 - x}}});
  cuda::fill_random(field.ghosted(), 7);
  return field;
}

/// Returns the median time after a pause: under load a GPU reaches its power limit and lowers its
/// clock.
double rested_seconds(const std::function<void(CUstream_st*)>& order) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  cuda::median_seconds(order, 2);
  return cuda::median_seconds(order, 11);
}

template <class T>
struct Candidate {
  const char* name;
  void (*launch)(const cuda::KernelArguments<T>&, const Stencil<T>&, CUstream_st*);
};

/// Returns the kernels that sum the whole mask in one launch.
template <class T>
std::vector<Candidate<T>> candidates(const cuda::KernelArguments<T>& sweep,
                                     const Stencil<T>& stencil) {
  using namespace cuda;
  std::vector<Candidate<T>> list;
  const auto add = [&](bool fits, const char* name, auto launch) {
    if (fits) list.push_back({name, launch});
  };
  const bool skips = sweep.skip_zeros, has_tensor_cores = has_ordered_tensor_cores();
  if (sweep.separable) {
    add(fits_strip_separable(sweep), "strip_separable", launch_strip_separable<T>);
    if (sweep.terms > 1) return list;
    add(sweep.height <= 81, "tile_separable", launch_tile_separable<T>);
    add(fits_tile_separable_any(sweep), "tile_separable_any", launch_tile_separable_any<T>);
    if constexpr (sizeof(T) == 8)
      add(has_tensor_cores && fits_tensor_separable(sweep), "tensor_separable",
          launch_tensor_separable);
    return list;
  }
  const bool is_2d = sweep.height > 1 && sweep.width > 1;
  add(fits_strip_walk(sweep, stencil), "strip_walk", launch_strip_walk<T>);
  add(sweep.height * sweep.width <= most_tile_taps, "tile_dense", launch_tile_dense<T>);
  add(!skips && is_2d && fits_strip_dense(sweep), "strip_dense", launch_strip_dense<T>);
  add(is_2d && fits_tile_wide(sweep), "tile_wide", launch_tile_wide<T>);
  add(!skips && sweep.height == 1, "tile_line", launch_tile_line<T>);
  add(sweep.height == 1 && fits_line(sweep), "line", launch_line<T>);
  add(sweep.width == 1, "tile_column", launch_tile_column<T>);
  if constexpr (sizeof(T) == 4) add(fits_strip_column(sweep), "strip_column", launch_strip_column);
  if constexpr (sizeof(T) == 8) {
    const bool plain = !skips && has_tensor_cores;
    add(plain && is_2d && fits_tensor_dense(sweep), "tensor_dense", launch_tensor_dense);
    add(plain && !is_2d && fits_tensor_axis(sweep), "tensor_axis", launch_tensor_axis);
  }
  return list;
}

template <class T>
void run_case(benchmark::State& state, const MaskCase& c, const Point& extent) {
  const auto stencil =
      make_stencil<T>(mask_of(c), c.is_separable ? Method::separable : Method::direct, {1, 1}, {});
  const Memory taps = cuda::uploaded(gpu(), stencil.taps);
  const Memory column = cuda::uploaded(gpu(), stencil.column);
  const Memory row = cuda::uploaded(gpu(), stencil.row);
  const cuda::DeviceTaps<T> device_taps{reinterpret_cast<const T*>(taps.get()),
                                        reinterpret_cast<const T*>(column.get()),
                                        reinterpret_cast<const T*>(row.get())};
  Field<T> source = random_field<T>(extent, c.height, c.width);
  Field<T> expected = random_field<T>(extent, 1, 1), found = random_field<T>(extent, 1, 1);
  const FieldView<const T> from = source.ghosted();
  const auto sweep = cuda::make_arguments<T>(stencil, device_taps, from, found.ghosted());
  cuda::launch_generic(cuda::make_arguments<T>(stencil, device_taps, from, expected.ghosted()),
                       stencil, nullptr);
  const auto bytes = std::size_t(bench::bytes_to_copy(source, found));
  double differ = 0;
  const double outputs = double(points(extent));
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const double copy_rate = cuda::measure_copy(source.owned().data, found.owned().data, bytes);
    const double copy = 2 * outputs * sizeof(T) / copy_rate;
    state.counters["copy GB/s"] = copy_rate / 1e9;
    double best = 1e9;
    const auto measure = [&](const char* kernel, const std::function<void(CUstream_st*)>& order) {
      cuda::fill_random(found.ghosted(), 9);
      const double seconds = rested_seconds(order);
      differ += double(cuda::count_differing<T>(expected.ghosted(), found.ghosted()));
      state.counters[kernel] = copy / seconds;
      best = std::min(best, seconds);
    };
    for (const Candidate<T>& one : candidates(sweep, stencil))
      measure(one.name, [&](CUstream_st* stream) { one.launch(sweep, stencil, stream); });
    measure("chosen", [&](CUstream_st* stream) {
      cuda::launch_production<T>(stencil, device_taps, from, found.ghosted(), stream);
    });
    state.SetIterationTime(best);
    state.counters["Gpt/s"] = outputs / best / 1e9;
  }
  state.counters["differ"] = differ;
  state.SetLabel(cuda::choose(sweep, stencil).kernel);
}

template <class T>
void register_cases(const std::string& type) {
  std::vector<MaskCase> cases;
  const std::vector<std::pair<Index, Index>> direct{
      {3, 3},   {4, 3},   {5, 5},   {7, 5},   {5, 9},   {9, 5},   {3, 17}, {17, 3},  {6, 6},
      {6, 7},   {7, 7},   {6, 11},  {8, 8},   {12, 7},  {7, 12},  {9, 9},  {10, 10}, {13, 10},
      {11, 13}, {11, 17}, {15, 15}, {17, 11}, {20, 20}, {31, 31}, {13, 1}, {17, 1},  {29, 1},
      {33, 1},  {43, 1},  {63, 1},  {1, 17},  {1, 31},  {1, 43},  {1, 63}, {1, 97},  {1, 127}};
  for (const auto& [height, width] : direct)
    cases.push_back({fmt::format("{}x{}", height, width), height, width});
  for (const Index radius : {1, 2, 3, 4, 6})
    cases.push_back({fmt::format("star{}", radius), 2 * radius + 1, 2 * radius + 1, true});
  const std::vector<std::pair<Index, Index>> separable{
      {3, 3},   {5, 5},   {7, 7},   {9, 9},   {13, 13}, {17, 17}, {19, 19}, {21, 21},   {23, 23},
      {27, 27}, {31, 31}, {33, 33}, {41, 41}, {51, 51}, {65, 65}, {81, 81}, {129, 129}, {257, 257},
      {5, 17},  {17, 5},  {9, 33},  {33, 9},  {17, 25}, {25, 41}, {41, 25}};
  for (const auto& [height, width] : separable)
    cases.push_back({fmt::format("separable/{}x{}", height, width), height, width, false, true});
  for (const auto& [terms, side] :
       std::initializer_list<std::pair<Index, Index>>{{2, 15}, {2, 31}, {3, 31}})
    cases.push_back({fmt::format("sum_of_{}/{}", terms, side), side, side, false, true, terms});
  for (const MaskCase& c : cases)
    for (const auto& [suffix, extent] :
         {std::pair{"", Point{1, 16384, 16384}}, std::pair{"/odd", Point{1, 9973, 15013}},
          std::pair{"/12M", Point{1, 4000, 3000}}, std::pair{"/1M", Point{1, 1000, 1000}}}) {
      const std::string name = fmt::format("kernels/{}/{}{}", c.name, type, suffix);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [c, extent = extent](benchmark::State& state) { run_case<T>(state, c, extent); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
}

[[maybe_unused]] const bool registered = [] {
  if (!cuda::have_gpu() || generated::Nvrtc::find() == nullptr) return false;
  register_cases<float>("f32");
  register_cases<double>("f64");
  return true;
}();

}  // namespace
