#include "drivers/stencil_bench/nchw_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "drivers/stencil_bench/cudnn_rival.hpp"
#include "framework/device/field.hpp"
#include "kernels/cuda/channels/launch_channels.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/uploaded.hpp"

namespace stencil::bench {
namespace {

constexpr int repeats = 15;

/// Returns a view of contiguous points, for copies to and from a field.
template <class T>
FieldView<T> dense(T* points, const Point& extent) {
  return {points, extent, extent[1] * extent[2], extent[2]};
}

/// Returns a field whose ghost points are 0.
Field<float> uploaded_field(cuda::CudaExecutor& gpu, const Point& owned, Index pad,
                            const std::vector<float>& points) {
  Field<float> field(gpu, {make_box(owned), {{0, pad, pad}, {0, pad, pad}}});
  const float zero = 0;
  gpu.fill(rectangle_of(field.ghosted()), &zero, sizeof zero);
  gpu.upload(rectangle_of(dense(points.data(), owned)), rectangle_of(field.owned()), sizeof zero);
  return field;
}

std::vector<float> downloaded(cuda::CudaExecutor& gpu, const Field<float>& field) {
  const FieldView<const float> owned = field.owned();
  std::vector<float> result(static_cast<std::size_t>(points(owned.extent)));
  gpu.download(rectangle_of(owned), rectangle_of(dense(result.data(), owned.extent)),
               sizeof(float));
  return result;
}

struct Row {
  NchwShape shape;
  std::string kernel;
  double seconds = 0;
  std::optional<RivalResult> rival, rival_tf32;
  double difference = 0, allowed = 0;  ///< difference from cuDNN's float32 result
};

float* on_device(const cuda::DeviceArray& array) {
  return static_cast<float*>(array.data());
}

/// Runs cuDNN on the same numbers, and measures the difference of its results from `ours`.
void race(Row& row, const std::vector<float>& source, const std::vector<float>& mask,
          const std::vector<float>& ours) {
  const auto bytes = [](const std::vector<float>& list) { return list.size() * sizeof(float); };
  cuda::DeviceArray dense_source(bytes(source)), dense_mask(bytes(mask)), dense_target(bytes(ours));
  dense_source.upload(source.data());
  dense_mask.upload(mask.data());
  const auto run = [&](bool tf32) {
    return run_rival(row.shape, on_device(dense_source), on_device(dense_mask),
                     on_device(dense_target), tf32);
  };
  row.rival_tf32 = run(true);
  row.rival = run(false);
  if (!row.rival) return;
  std::vector<float> theirs(ours.size());
  dense_target.download(theirs.data());
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::size_t k = 0; k < ours.size(); ++k) {
    const double difference = std::abs(double(ours[k]) - double(theirs[k]));
    most = std::max(most, difference == difference ? difference : INFINITY);
  }
  row.difference = most;
  // Points and taps are at most 0.5. The bound is twice the rounding error of a sum, more for
  // Winograd.
  const Index channels = row.shape.in / row.shape.groups;
  const double taps = double(channels * row.shape.height * row.shape.width);
  row.allowed = 8 * (2 * taps + 4) * 1.2e-7 * taps * 0.25;
}

Row measure(cuda::CudaExecutor& gpu, const NchwShape& shape) {
  Row row{shape, {}, 0, {}, {}};
  const std::vector<float> source = random_numbers(shape.inputs(), 1);
  const std::vector<float> taps =
      random_numbers(shape.out * (shape.in / shape.groups) * shape.height * shape.width, 2);
  const auto stencil = make_channel_stencil<float>(
      make_channel_mask({shape.out, shape.in / shape.groups, shape.height, shape.width},
                        {taps.begin(), taps.end()}, shape.groups),
      {shape.stride, shape.stride});
  row.kernel = cuda::channels_name(stencil);
  const Field<float> in =
      uploaded_field(gpu, {shape.images * shape.in, shape.ny, shape.nx}, shape.pad, source);
  Field<float> out(gpu, {make_box({shape.images * shape.out, shape.out_ny(), shape.out_nx()}), {}});
  const Memory packed = cuda::uploaded(gpu, cuda::packed_channel_taps(stencil));
  const auto order = [&](CUstream_st* stream) {
    cuda::launch_channels<float>(stencil, reinterpret_cast<const float*>(packed.get()),
                                 in.ghosted(), out.ghosted(), stream);
  };
  cuda::median_seconds(order, 3);
  row.seconds = cuda::median_seconds(order, repeats);
  race(row, source, taps, downloaded(gpu, out));
  return row;
}

void print(const Row& row, const cuda::CudaLimits& limits) {
  const NchwShape& s = row.shape;
  const double sums = s.multiply_adds() / limits.multiply_adds_per_second;
  const double copy = s.bytes() / limits.copy_bytes_per_second;
  const auto times = [](const std::optional<RivalResult>& rival) {
    return rival ? fmt::format("{:.3f}", rival->seconds * 1e3) : std::string("-");
  };
  fmt::print("{:<24}{:>16}{:>10.3f}{:>9.1f}{:>9.2f} {:<5}{:>10}{:>8}  {:<18}{:>9}{:>10.1e}\n",
             s.name, fmt::format("{}x{} -> {}", s.images, s.in, s.out), row.seconds * 1e3,
             2 * s.multiply_adds() / row.seconds / 1e12, std::max(sums, copy) / row.seconds,
             sums > copy ? "fma" : "copy", times(row.rival),
             row.rival ? fmt::format("{:.2f}", row.rival->seconds / row.seconds) : "-",
             row.rival ? row.rival->algorithm : "-", times(row.rival_tf32), row.difference);
  std::fflush(stdout);
}

}  // namespace

bool have_nchw_gpu() {
  return cuda::have_gpu();
}

bool compare_nchw_on_gpu() {
  const cuda::CudaLimits limits = cuda::measure_cuda_limits<float>();
  fmt::print("float32 on the GPU: copy {:.0f} GB/s, {:.1f} TFLOP/s of multiply-adds; {}\n\n",
             limits.copy_bytes_per_second / 1e9, 2 * limits.multiply_adds_per_second / 1e12,
             rival_name());
  fmt::print("{:<24}{:>16}{:>10}{:>9}{:>9} {:<5}{:>10}{:>8}  {:<18}{:>9}{:>10}\n", "shape",
             "channels", "ms", "TFLOP/s", "of limit", "", "cuDNN ms", "faster", "algorithm",
             "TF32 ms", "differ by");
  cuda::CudaExecutor gpu(0);
  bool agree = true;
  for (const NchwShape& shape : nchw_shapes()) {
    const Row row = measure(gpu, shape);
    print(row, limits);
    agree = agree && !(row.difference > row.allowed);
  }
  return agree;
}

}  // namespace stencil::bench
