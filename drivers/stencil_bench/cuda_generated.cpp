// Kernels generated for the mask, measured in turn with those compiled ahead and with a copy of the
// same arrays: `generated/7x5/f32`, `/odd` on 9973 x 15013 points. Only in builds with CUDA;
// without a GPU or without NVRTC nothing is registered.
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
#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/generated/generated_stencil.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/uploaded.hpp"
#include "kernels/generated/nvrtc.hpp"

namespace {

using namespace stencil;

struct GeneratedCase {
  std::string name;
  Index height, width;
  bool is_star = false;
};

/// Taps without a symmetry; of a star those on its axes alone.
Mask mask_of(const GeneratedCase& c) {
  std::vector<double> taps;
  for (Index y = 0; y < c.height; ++y)
    for (Index x = 0; x < c.width; ++x) {
      const auto n = double(y * c.width + x);
      const bool zero = c.is_star && y != c.height / 2 && x != c.width / 2;
      taps.push_back(zero ? 0 : 1.5 + std::sin(3 + 1.7 * (n * n + 1)));
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

/// Each is measured after a pause: under load a GPU reaches its power limit and lowers its clock.
double rested_seconds(const std::function<void(CUstream_st*)>& order) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  cuda::median_seconds(order, 2);
  return cuda::median_seconds(order, 11);
}

template <class T>
void run_case(benchmark::State& state, const GeneratedCase& c, const Point& extent) {
  const auto stencil = make_stencil<T>(mask_of(c), Method::direct, {1, 1}, {});
  const Memory taps = cuda::uploaded(gpu(), stencil.taps);
  const cuda::DeviceTaps<T> device_taps{reinterpret_cast<const T*>(taps.get())};
  Field<T> source = random_field<T>(extent, c.height, c.width);
  Field<T> expected = random_field<T>(extent, 1, 1), found = random_field<T>(extent, 1, 1);
  const FieldView<const T> from = source.ghosted();
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto generated = cuda::GeneratedStencil<T>::make(stencil);
  const double made = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!generated || !generated->run(from, found.ghosted(), nullptr))
    return state.SkipWithError("no kernel is generated for this mask");
  const auto bytes = std::size_t(bench::bytes_to_copy(source, found));
  double ahead = 0, walk = 0, copy_rate = 0;
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    copy_rate = cuda::measure_copy(source.owned().data, found.owned().data, bytes);
    ahead = rested_seconds([&](CUstream_st* stream) {
      cuda::launch_production<T>(stencil, device_taps, from, expected.ghosted(), stream);
    });
    walk =
        rested_seconds([&](CUstream_st* stream) { generated->run(from, found.ghosted(), stream); });
    state.SetIterationTime(walk);
  }
  const double outputs = double(points(extent)), copy = 2 * outputs * sizeof(T) / copy_rate;
  state.counters["Gpt/s"] = outputs / walk / 1e9;
  state.counters["of copy"] = copy / walk;
  state.counters["ahead of copy"] = copy / ahead;
  state.counters["copy GB/s"] = copy_rate / 1e9;
  state.counters["make ms"] = made * 1e3;
  state.counters["differ"] = double(cuda::count_differing<T>(expected.ghosted(), found.ghosted()));
  state.SetLabel(fmt::format("{}, {}", cuda::production_name(stencil),
                             cuda::wants_generated(stencil) ? "generated" : "ahead"));
}

template <class T>
void register_cases(const std::string& type) {
  std::vector<GeneratedCase> cases;
  const std::vector<std::pair<Index, Index>> sides{
      {3, 3},  {4, 3},  {7, 5},  {5, 9},  {3, 17}, {7, 7}, {6, 11},  {12, 7},  {13, 1},
      {17, 1}, {19, 1}, {29, 1}, {43, 1}, {1, 31}, {9, 9}, {13, 10}, {11, 17}, {15, 15}};
  for (const auto& [height, width] : sides)
    cases.push_back({fmt::format("{}x{}", height, width), height, width});
  for (const Index radius : {1, 2, 3, 6})
    cases.push_back({fmt::format("star{}", radius), 2 * radius + 1, 2 * radius + 1, true});
  for (const GeneratedCase& c : cases)
    for (const bool odd : {false, true}) {
      const Point extent = odd ? Point{1, 9973, 15013} : Point{1, 16384, 16384};
      const std::string name = fmt::format("generated/{}/{}{}", c.name, type, odd ? "/odd" : "");
      benchmark::RegisterBenchmark(
          name.c_str(), [c, extent](benchmark::State& state) { run_case<T>(state, c, extent); })
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
