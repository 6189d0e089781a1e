#include "drivers/stencil_bench/nchw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "drivers/stencil_bench/nchw_gpu.hpp"
#include "drivers/stencil_bench/nchw_shapes.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/channels/convolve_channels_cpu.hpp"
#include "kernels/cpu/convolve_cpu.hpp"
#include "kernels/cpu/limits.hpp"

namespace stencil::bench {
namespace {

constexpr double enough_adds = 2e10;  // multiply-adds: largest work of a shape on the CPU

double seconds_of(const ChannelStencil<float>& stencil, const Field<float>& source,
                  Field<float>& target) {
  const auto start = std::chrono::steady_clock::now();
  convolve_channels_cpu<float>(stencil, source.ghosted(), target.owned());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_on_cpu(const NchwShape& shape) {
  CpuExecutor executor;
  const Point owned{shape.images * shape.in, shape.ny, shape.nx};
  Field<float> source(executor,
                      {make_box(owned), {{0, shape.pad, shape.pad}, {0, shape.pad, shape.pad}}});
  Field<float> target(executor,
                      {make_box({shape.images * shape.out, shape.out_ny(), shape.out_nx()}), {}});
  const FieldView<float> in = source.ghosted();
  const std::vector<float> numbers = random_numbers(points(in.extent), 1);
  for (Index b = 0, k = 0; b < in.extent[0]; ++b)
    for (Index y = 0; y < in.extent[1]; ++y, k += in.extent[2])
      std::copy_n(&numbers[static_cast<std::size_t>(k)], in.extent[2], &in.at(b, y, 0));
  const std::vector<float> taps =
      random_numbers(shape.out * (shape.in / shape.groups) * shape.height * shape.width, 2);
  const auto stencil = make_channel_stencil<float>(
      make_channel_mask({shape.out, shape.in / shape.groups, shape.height, shape.width},
                        {taps.begin(), taps.end()}, shape.groups),
      {shape.stride, shape.stride});
  std::vector<double> seconds;
  for (int n = 0; n < 6; ++n) seconds.push_back(seconds_of(stencil, source, target));
  std::sort(seconds.begin() + 1, seconds.end());  // the first time includes the warm-up
  return seconds[3];
}

void print_cpu_table() {
  const CpuLimits limits = measure_cpu_limits<float>();
  fmt::print("float32 on the CPU ({}): copy {:.1f} GB/s, {:.0f} GFLOP/s of multiply-adds\n\n",
             cpu_walk_facts(), limits.copy_bytes_per_second / 1e9,
             2 * limits.multiply_adds_per_second / 1e9);
  fmt::print("{:<24}{:>16}{:>10}{:>9}{:>9}\n", "shape", "channels", "ms", "GFLOP/s", "of limit");
  for (NchwShape shape : nchw_shapes()) {
    const double of_one = shape.multiply_adds() / double(shape.images);
    shape.images = std::clamp<Index>(Index(enough_adds / of_one), 1, shape.images);
    shape.images = std::min<Index>(shape.images, 4);
    const double seconds = median_on_cpu(shape);
    const double limit = std::max(shape.multiply_adds() / limits.multiply_adds_per_second,
                                  shape.bytes() / limits.copy_bytes_per_second);
    fmt::print("{:<24}{:>16}{:>10.2f}{:>9.1f}{:>9.2f}\n", shape.name,
               fmt::format("{}x{} -> {}", shape.images, shape.in, shape.out), seconds * 1e3,
               2 * shape.multiply_adds() / seconds / 1e9, limit / seconds);
    std::fflush(stdout);
  }
}

}  // namespace

int compare_nchw(const std::vector<std::string>& words) {
  const bool asks_cpu = words == std::vector<std::string>{"cpu"};
  if (!words.empty() && !asks_cpu) {
    std::fputs("stencil_bench nchw accepts no argument except cpu\n", stderr);
    return static_cast<int>(Status::words);
  }
  if (!asks_cpu && have_nchw_gpu()) return compare_nchw_on_gpu() ? 0 : 1;
  if (!asks_cpu) std::fputs("stencil_bench nchw: no GPU here, so the CPU alone\n", stderr);
  print_cpu_table();
  return 0;
}

}  // namespace stencil::bench
