// Benchmarks of the CUDA kernels relative to the limits of the GPU, measured in the same run, such
// as `cuda/line/17/f32`. `/odd` marks grids whose sides are not multiples of a tile or vector
// width. Only in builds with CUDA; without a GPU no case is registered.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "drivers/stencil_bench/beside_copy.hpp"
#include "drivers/stencil_bench/cases.hpp"
#include "framework/device/field.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/fft/cuda_fft.hpp"
#include "kernels/cuda/fft/cuda_fft_tiles.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/uploaded.hpp"
#include "kernels/cuda/volume_passes.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/method/fft_tile_choice.hpp"

namespace {

using namespace stencil;

struct CudaCase {
  std::string name;
  Mask mask;
  Method method;
  Point outputs;
  Index adds;  ///< multiply-adds per output
  std::array<Index, 2> stride{1, 1};
  std::optional<double> min_valid = std::nullopt;
  Index missing_every = 0;  ///< every n-th input is NaN; if 0, no input is NaN
};

/// Returns positive taps without a symmetry or factorization that a kernel could use.
std::vector<double> irregular_taps(Index count, double seed) {
  std::vector<double> taps;
  for (Index i = 0; i < count; ++i) taps.push_back(1.5 + std::sin(seed + 1.7 * double(i * i + 1)));
  return taps;
}

Mask mask_of(Index height, Index width) {
  const std::vector<double> taps = irregular_taps(height * width, 3);
  if (height > 1 && width > 1) return Mask::grid(taps, height, width);
  return Mask::line(taps, width == 1 ? y_axis : x_axis);
}

cuda::CudaExecutor& gpu() {
  static cuda::CudaExecutor executor(0);
  return executor;
}

Mask outer_mask(Index width) {
  return Mask::outer(irregular_taps(width, 4), irregular_taps(width, 5));
}

/// The taps of a stencil in the memory of the GPU.
template <class T>
struct TapsOnDevice {
  explicit TapsOnDevice(const Stencil<T>& stencil)
      : taps(cuda::uploaded(gpu(), stencil.taps)),
        column(cuda::uploaded(gpu(), stencil.column)),
        row(cuda::uploaded(gpu(), stencil.row)) {}
  cuda::DeviceTaps<T> view() const {
    const auto data = [](const Memory& memory) { return reinterpret_cast<const T*>(memory.get()); };
    return {data(taps), data(column), data(row)};
  }

  Memory taps, column, row;
};

/// Returns a field of random points with the halo of a mask that is centred as in `correlate`.
template <class T>
Field<T> random_field(const Point& owned, Index height, Index width, Index depth = 1) {
  const Index b = depth / 2, y = height / 2, x = width / 2;
  Field<T> field(gpu(),
                 {make_box(owned), {{b, y, x}, {depth - 1 - b, height - 1 - y, width - 1 - x}}});
  cuda::fill_random(field.ghosted(), 7);
  return field;
}

/// Returns the limits of the GPU, which are measured once; the copy uses 2 GiB.
template <class T>
const cuda::CudaLimits& limits() {
  static const cuda::CudaLimits measured = cuda::measure_cuda_limits<T>();
  return measured;
}

/// Times a copy of the case's own arrays and then the case, after an idle pause of the GPU: under a
/// long arithmetic load a GPU reaches its power limit and lowers its clock, so without pauses each
/// case would be slower than the previous one. If there are few outputs because of a stride, a copy
/// of these arrays is too short to measure the memory bandwidth, and an earlier measurement is
/// used.
template <class T>
void run_case(benchmark::State& state, const CudaCase& c) {
  const cuda::CudaLimits& limit = limits<T>();
  const double most_adds = limit.multiply_adds_per_second;
  const Index height = c.mask.taps.height, width = c.mask.taps.width;
  const Point inputs{c.outputs[0], c.outputs[1] * c.stride[0], c.outputs[2] * c.stride[1]};
  Field<T> source = random_field<T>(inputs, height, width, c.mask.taps.depth);
  if (c.missing_every > 0) cuda::lose_points(source.ghosted(), c.missing_every);
  Field<T> target = random_field<T>(c.outputs, 1, 1);
  FftTiles tiles;
  if (c.method == Method::fft && height > 1 && width > 1)
    tiles = choose_fft_tiles(
        height, width, {{c.outputs[y_axis], c.outputs[x_axis]}, 1, sizeof(T), -c.mask.centre[1]});
  const auto stencil = make_stencil<T>(c.mask, c.method, c.stride, c.min_valid, {}, tiles);
  const TapsOnDevice<T> taps(stencil);
  std::optional<cuda::CudaFft<T>> fft;
  if (stencil.fft) fft.emplace(gpu(), stencil);
  std::optional<cuda::CudaFftTiles<T>> fft_tiles;
  if (stencil.fft_tiles) fft_tiles.emplace(gpu(), stencil);
  std::optional<cuda::VolumePasses<T>> passes;
  if (stencil.depth > 1 && stencil.method == Method::separable) passes.emplace(gpu(), stencil);
  const auto order = [&](CUstream_st* stream) {
    const FieldView<const T> from = source.ghosted();
    if (fft) return fft->run(taps.view().taps, from, target.ghosted(), {}, stream);
    if (fft_tiles) return fft_tiles->run(taps.view().taps, from, target.ghosted(), {}, stream);
    if (passes) return passes->run(from, target.ghosted(), stream);
    cuda::launch_production<T>(stencil, taps.view(), source.ghosted(), target.ghosted(), stream);
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  const double copy_rate =
      inputs == c.outputs ? cuda::measure_copy(source.owned().data, target.owned().data,
                                               std::size_t(bench::bytes_to_copy(source, target)))
                          : limit.copy_bytes_per_second;
  cuda::median_seconds(order, 2);
  double seconds = 0;
  for (auto _ : state) {
    seconds = cuda::median_seconds(order, 11);
    state.SetIterationTime(seconds);
  }
  const double outputs = double(points(c.outputs)), moved = outputs + double(points(inputs));
  const double copy = moved * sizeof(T) / copy_rate;
  const double sums = outputs * double(c.adds) / most_adds;
  state.counters["Gpt/s"] = outputs / seconds / 1e9;
  state.counters["share"] = std::max(copy, sums) / seconds;
  state.counters["of copy"] = copy / seconds;
  state.counters["copy GB/s"] = copy_rate / 1e9;
  state.counters["Gfma/s"] = most_adds / 1e9;
  state.SetLabel(cuda::production_name(stencil));
}

std::vector<CudaCase> cases_on(const Point& line, const Point& grid, const std::string& end) {
  std::vector<CudaCase> cases;
  const auto direct = [&](const std::string& kind, Index h, Index w, const Point& outputs) {
    const std::string size =
        kind == "dense" ? fmt::format("{}x{}", h, w) : fmt::format("{}", h * w);
    cases.push_back({fmt::format("cuda/{}/{}/{}", kind, size, end), mask_of(h, w), Method::direct,
                     outputs, h * w});
  };
  for (const Index w : {3, 5, 17, 31, 63, 127, 257}) direct("line", 1, w, line);
  for (const Index w : {3, 5, 17, 31, 63, 127, 257}) direct("column", w, 1, grid);
  // The time of an FFT hardly depends on the number of taps, so it is compared with the time of a
  // copy. Columns are long, so that partly filled last blocks have little effect.
  const Point tall{1, 16 * grid[1], grid[2] / 16};
  for (const Index w : {127, 257, 1025, 4097})
    for (const bool along_y : {false, true})
      cases.push_back({fmt::format("cuda/{}/{}/{}", along_y ? "fft_column" : "fft", w, end),
                       Mask::line(irregular_taps(w, 1), along_y ? y_axis : x_axis), Method::fft,
                       along_y ? tall : line, 1});
  for (const Index w : {9, 15, 31, 63, 101, 255})
    cases.push_back(
        {fmt::format("cuda/fft2d/{0}x{0}/{1}", w, end), mask_of(w, w), Method::fft, grid, 1});
  cases.push_back({fmt::format("cuda/dense/5pt/{}", end),
                   Mask::grid({0, 0.1, 0, 0.2, 0.4, 0.15, 0, 0.1, 0}, 3, 3), Method::direct, grid,
                   5});
  cases.back().mask.multiply_zeros = false;
  for (const Index w : {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 31, 63, 101})
    direct("dense", w, w, grid);
  for (const Index w : {3, 5, 9, 14, 17, 20, 25, 28, 29, 32, 33, 49, 65})
    cases.push_back({fmt::format("cuda/separable/{}/{}", w, end), outer_mask(w), Method::separable,
                     grid, 2 * w});
  cases.push_back({fmt::format("cuda/separable/17x25/{}", end),
                   Mask::outer(irregular_taps(17, 4), irregular_taps(25, 5)), Method::separable,
                   grid, 42});
  for (const auto& [terms, w] :
       std::initializer_list<std::array<Index, 2>>{{2, 15}, {2, 31}, {3, 31}})
    cases.push_back({fmt::format("cuda/sum_of_{}/{}/{}", terms, w, end),
                     bench::sum_of_outer(w, terms), Method::separable, grid, terms * 2 * w});
  return cases;
}

/// Returns cases with missing points enabled: inputs without missing points, and inputs with
/// missing points everywhere.
std::vector<CudaCase> further_cases(const Point& line, const Point& grid, const std::string& end) {
  std::vector<CudaCase> cases;
  for (const Index missing_every : {0, 1001}) {
    const char* const words = missing_every == 0 ? "missing" : "some_missing";
    const auto add = [&](const std::string& what, const Mask& mask, Method method,
                         const Point& outputs, Index adds) {
      cases.push_back({fmt::format("cuda/{}/{}/{}", words, what, end),
                       mask,
                       method,
                       outputs,
                       adds,
                       {1, 1},
                       0.5,
                       missing_every});
    };
    add("line/17", mask_of(1, 17), Method::direct, line, 34);
    add("column/17", mask_of(17, 1), Method::direct, grid, 34);
    add("dense/5x5", mask_of(5, 5), Method::direct, grid, 50);
    add("separable/9", outer_mask(9), Method::separable, grid, 36);
  }
  return cases;
}

/// Returns cases with strides, for inputs of these extents.
std::vector<CudaCase> strided_cases(const Point& line, const Point& grid, const std::string& end) {
  std::vector<CudaCase> cases;
  const auto add = [&](const std::string& what, const Mask& mask, Method method,
                       const Point& inputs, const std::array<Index, 2>& stride, Index adds) {
    cases.push_back({fmt::format("cuda/{}/{}", what, end),
                     mask,
                     method,
                     {1, inputs[1] / stride[0], inputs[2] / stride[1]},
                     adds,
                     stride,
                     {}});
  };
  const auto direct = [&](const std::string& what, Index height, Index width, const Point& inputs,
                          const std::array<Index, 2>& stride) {
    add(what, mask_of(height, width), Method::direct, inputs, stride, height * width);
  };
  direct("stride2/line/33", 1, 33, line, {1, 2});
  direct("stride4/line/17", 1, 17, line, {1, 4});
  direct("stride10/line/129", 1, 129, line, {1, 10});
  direct("stride11/line/129", 1, 129, line, {1, 11});
  direct("stride20/line/129", 1, 129, line, {1, 20});
  direct("stride4/line/1025", 1, 1025, line, {1, 4});
  direct("stride4/column/17", 17, 1, grid, {4, 1});
  direct("stride10/column/129", 129, 1, grid, {10, 1});
  direct("stride2/dense/5x5", 5, 5, grid, {2, 2});
  direct("stride4/dense/9x9", 9, 9, grid, {4, 4});
  direct("stride6/dense/9x9", 9, 9, grid, {6, 6});
  direct("stride2/dense/15x15", 15, 15, grid, {2, 2});
  for (const Index w : {5, 17})
    add(fmt::format("stride2/separable/{}", w), outer_mask(w), Method::separable, grid, {2, 2},
        3 * w);
  add("stride4/separable/33", outer_mask(33), Method::separable, grid, {4, 4}, 5 * 33);
  return cases;
}

/// Returns cases of masks of three axes.
std::vector<CudaCase> volume_cases(const Point& outputs, const std::string& end) {
  std::vector<CudaCase> cases;
  const auto dense = [&](Index w) {
    const Index taps = w * w * w;
    cases.push_back({fmt::format("cuda/volume/{0}x{0}x{0}/{1}", w, end),
                     Mask::volume({w, w, irregular_taps(taps, 3), w}), Method::direct, outputs,
                     taps});
  };
  for (const Index reach : {1, 2, 4})  // 7, 13 and 25 points
    cases.push_back({fmt::format("cuda/volume/star{}/{}", 6 * reach + 1, end), bench::star(reach),
                     Method::direct, outputs, 6 * reach + 1});
  for (const Index w : {3, 5, 7}) dense(w);
  for (const Index terms : {1, 3}) {
    std::vector<std::array<std::vector<double>, 3>> products;
    for (Index k = 0; k < terms; ++k)
      products.push_back(
          {irregular_taps(9, double(k)), irregular_taps(9, 5), irregular_taps(9, 6)});
    cases.push_back({fmt::format("cuda/volume/{}separable9/{}",
                                 terms > 1 ? fmt::format("sum_of_{}_", terms) : "", end),
                     sum_of_products(products), Method::separable, outputs, terms * 27});
  }
  return cases;
}

template <class T>
void register_cases(const std::string& type) {
  const Index all = Index{1} << 28;
  auto cases = cases_on({1, 1, all}, {1, 16384, 16384}, type);
  for (const auto& more :
       {cases_on({1, 1, all - 57}, {1, 12007, 10007}, type + "/odd"),
        volume_cases({640, 640, 640}, type), volume_cases({500, 601, 701}, type + "/odd"),
        further_cases({1, 1, all}, {1, 16384, 16384}, type),
        strided_cases({1, 1, all}, {1, 16384, 16384}, type),
        strided_cases({1, 1, all - 57}, {1, 12007, 10007}, type + "/odd")})
    cases.insert(cases.end(), more.begin(), more.end());
  for (const CudaCase& c : cases)
    benchmark::RegisterBenchmark(c.name.c_str(),
                                 [c](benchmark::State& state) { run_case<T>(state, c); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
  if (!cuda::have_gpu()) return false;
  register_cases<float>("f32");
  register_cases<double>("f64");
  return true;
}();

}  // namespace
