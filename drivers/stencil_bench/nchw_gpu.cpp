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

namespace stencil::bench {
namespace {

constexpr int repeats = 15;

/// A field on the GPU, laid out as every Field is.
class DeviceField {
 public:
  DeviceField(const Point& owned, Index pad)
      : subdomain_{make_box(owned), {{0, pad, pad}, {0, pad, pad}}},
        layout_(FieldLayout::of(subdomain_, sizeof(float))),
        memory_(layout_.bytes) {}

  FieldView<float> ghosted() const { return view_of(static_cast<std::byte*>(memory_.data())); }

  /// Zeros beyond the owned points.
  void upload(const std::vector<float>& points) {
    std::vector<std::byte> host(layout_.bytes);
    const FieldView<float> owned = owned_of(host.data());
    const Point n = owned.extent;
#pragma omp parallel for schedule(static)
    for (Index b = 0; b < n[0]; ++b)
      for (Index y = 0; y < n[1]; ++y)
        std::copy_n(&points[static_cast<std::size_t>((b * n[1] + y) * n[2])], n[2],
                    &owned.at(b, y, 0));
    memory_.upload(host.data());
  }
  std::vector<float> download() const {
    std::vector<std::byte> host(layout_.bytes);
    memory_.download(host.data());
    const FieldView<float> owned = owned_of(host.data());
    const Point n = owned.extent;
    std::vector<float> result(static_cast<std::size_t>(points(n)));
#pragma omp parallel for schedule(static)
    for (Index b = 0; b < n[0]; ++b)
      for (Index y = 0; y < n[1]; ++y)
        std::copy_n(&owned.at(b, y, 0), n[2],
                    &result[static_cast<std::size_t>((b * n[1] + y) * n[2])]);
    return result;
  }

 private:
  FieldView<float> view_of(std::byte* memory) const {
    const Point extent = subdomain_.local_extent();
    return {reinterpret_cast<float*>(memory + layout_.offset), extent,
            layout_.row_pitch * extent[1], layout_.row_pitch};
  }
  FieldView<float> owned_of(std::byte* memory) const {
    return view_of(memory).window(
        {subdomain_.local(subdomain_.owned.first), subdomain_.local(subdomain_.owned.last)});
  }

  Subdomain subdomain_;
  FieldLayout layout_;
  cuda::DeviceArray memory_;
};

struct Row {
  NchwShape shape;
  std::string kernel;
  double seconds = 0;
  std::optional<RivalResult> rival, rival_tf32;
  double difference = 0, allowed = 0;  ///< from cuDNN's float32 result
};

float* on_device(const cuda::DeviceArray& array) {
  return static_cast<float*>(array.data());
}

/// cuDNN on the same numbers, and how far its results lie from `ours`.
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
  // points and taps are at most 0.5: twice the rounding of a sum, and Winograd's larger one
  const double taps = double(row.shape.in / row.shape.groups * row.shape.height * row.shape.width);
  row.allowed = 8 * (2 * taps + 4) * 1.2e-7 * taps * 0.25;
}

Row measure(const NchwShape& shape) {
  Row row{shape, {}, 0, {}, {}};
  const std::vector<float> source = random_numbers(shape.inputs(), 1);
  const std::vector<float> taps =
      random_numbers(shape.out * (shape.in / shape.groups) * shape.height * shape.width, 2);
  const auto stencil = make_channel_stencil<float>(
      make_channel_mask({shape.out, shape.in / shape.groups, shape.height, shape.width},
                        {taps.begin(), taps.end()}, shape.groups),
      {shape.stride, shape.stride});
  row.kernel = cuda::channels_name(stencil);
  DeviceField in({shape.images * shape.in, shape.ny, shape.nx}, shape.pad);
  in.upload(source);
  const DeviceField out({shape.images * shape.out, shape.out_ny(), shape.out_nx()}, 0);
  const std::vector<float> packed = cuda::packed_channel_taps(stencil);
  cuda::DeviceArray device_taps(packed.size() * sizeof(float));
  device_taps.upload(packed.data());
  const auto order = [&](CUstream_st* stream) {
    cuda::launch_channels<float>(stencil, on_device(device_taps), in.ghosted(), out.ghosted(),
                                 stream);
  };
  cuda::median_seconds(order, 3);
  row.seconds = cuda::median_seconds(order, repeats);
  race(row, source, taps, out.download());
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
  bool agree = true;
  for (const NchwShape& shape : nchw_shapes()) {
    const Row row = measure(shape);
    print(row, limits);
    agree = agree && !(row.difference > row.allowed);
  }
  return agree;
}

}  // namespace stencil::bench
