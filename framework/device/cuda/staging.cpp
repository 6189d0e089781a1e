#include "framework/device/cuda/staging.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "framework/device/cuda/check.hpp"

namespace stencil::cuda {
namespace {

/// The rows of a rectangle that have one batch index. Each row is contiguous.
template <class HostPointer, class DevicePointer>
struct Rows {
  HostPointer host;
  DevicePointer device;
  Index host_pitch, device_pitch;  ///< bytes
  Index bytes, count;              ///< size of a row; number of rows

  /// The pitches that are passed to CUDA. The pitch of a single row is not used, but CUDA rejects
  /// it if it is large.
  Index copied_pitch() const { return count == 1 ? bytes : device_pitch; }
  Index copied_host_pitch() const { return count == 1 ? bytes : host_pitch; }
};

/// CUDA rejects row pitches larger than this; rows farther apart are copied one by one.
constexpr Index most_pitch = (Index{1} << 31) - 1;

/// Cuts a transfer into pieces that fit into the staging memory: several rows, or part of a long
/// row. One of the arguments `host` and `device` is a ConstRectangle.
template <class Host, class Device>
auto cut(const Host& host, const Device& device, Index element) {
  if (host.extent != device.extent)
    throw std::logic_error("transfer between rectangles of two shapes");
  if (host.stride[x_axis] != element || device.stride[x_axis] != element)
    throw std::logic_error("transfer of rows that are not contiguous");
  std::vector<Rows<decltype(host.origin), decltype(device.origin)>> pieces;
  if (points(host.extent) == 0) return pieces;
  const Index row = host.extent[x_axis] * element;
  const Index wide = std::min(row, pinned_piece_bytes);
  const bool is_far = std::max(device.stride[y_axis], host.stride[y_axis]) > most_pitch;
  const Index high = is_far ? 1 : std::max<Index>(1, pinned_piece_bytes / wide);
  for (Index b = 0; b < host.extent[0]; ++b)
    for (Index y = 0; y < host.extent[1]; y += high)
      for (Index x = 0; x < row; x += wide)
        pieces.push_back({host.origin + b * host.stride[0] + y * host.stride[1] + x,
                          device.origin + b * device.stride[0] + y * device.stride[1] + x,
                          host.stride[1], device.stride[1], std::min(wide, row - x),
                          std::min(high, host.extent[1] - y)});
  return pieces;
}

/// Copies with many threads: one thread is slower than the bus.
void copy_rows(const std::byte* from, Index from_pitch, std::byte* to, Index to_pitch, Index bytes,
               Index count) {
  constexpr Index stretch = 64 << 10;
  const Index stretches = (bytes + stretch - 1) / stretch;
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < count * stretches; ++k) {
    const Index y = k / stretches, x = k % stretches * stretch;
    std::memcpy(to + y * to_pitch + x, from + y * from_pitch + x,
                static_cast<std::size_t>(std::min(stretch, bytes - x)));
  }
}

}  // namespace

bool is_pinned(const void* host) {
  cudaPointerAttributes found{};
  check(cudaPointerGetAttributes(&found, host), "looking at host memory");
  return found.type == cudaMemoryTypeHost;
}

void upload_directly(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
                     CUstream_st* stream) {
  for (const auto& rows : cut(host, device, static_cast<Index>(element_size)))
    check(cudaMemcpy2DAsync(rows.device, rows.copied_pitch(), rows.host, rows.copied_host_pitch(),
                            rows.bytes, rows.count, cudaMemcpyHostToDevice, stream),
          "uploading");
  check(cudaStreamSynchronize(stream), "uploading");
}

void download_directly(const ConstRectangle& device, const Rectangle& host,
                       std::size_t element_size, CUstream_st* stream) {
  for (const auto& rows : cut(host, device, static_cast<Index>(element_size)))
    check(cudaMemcpy2DAsync(rows.host, rows.copied_host_pitch(), rows.device, rows.copied_pitch(),
                            rows.bytes, rows.count, cudaMemcpyDeviceToHost, stream),
          "downloading");
  check(cudaStreamSynchronize(stream), "downloading");
}

PinnedStaging::PinnedStaging() {
  for (Piece& piece : pieces_) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, pinned_piece_bytes, cudaHostAllocPortable),
          "taking pinned memory");
    piece.memory = static_cast<std::byte*>(memory);
    check(cudaEventCreateWithFlags(&piece.done, cudaEventDisableTiming), "making an event");
  }
}

PinnedStaging::~PinnedStaging() {
  for (Piece& piece : pieces_) {
    if (piece.done != nullptr) cudaEventDestroy(piece.done);
    if (piece.memory != nullptr) cudaFreeHost(piece.memory);
  }
}

void PinnedStaging::upload(const ConstRectangle& host, const Rectangle& device,
                           std::size_t element_size, CUstream_st* stream) {
  int turn = 0;
  for (const auto& rows : cut(host, device, static_cast<Index>(element_size))) {
    const Piece& piece = pieces_[turn];
    turn = 1 - turn;
    check(cudaEventSynchronize(piece.done), "uploading");
    copy_rows(rows.host, rows.host_pitch, piece.memory, rows.bytes, rows.bytes, rows.count);
    check(cudaMemcpy2DAsync(rows.device, rows.copied_pitch(), piece.memory, rows.bytes, rows.bytes,
                            rows.count, cudaMemcpyHostToDevice, stream),
          "uploading");
    check(cudaEventRecord(piece.done, stream), "uploading");
  }
  check(cudaStreamSynchronize(stream), "uploading");
}

void PinnedStaging::download(const ConstRectangle& device, const Rectangle& host,
                             std::size_t element_size, CUstream_st* stream) {
  const auto all = cut(host, device, static_cast<Index>(element_size));
  for (std::size_t k = 0; k <= all.size(); ++k) {
    if (k < all.size()) {
      const auto& rows = all[k];
      const Piece& piece = pieces_[k % 2];
      check(cudaMemcpy2DAsync(piece.memory, rows.bytes, rows.device, rows.copied_pitch(),
                              rows.bytes, rows.count, cudaMemcpyDeviceToHost, stream),
            "downloading");
      check(cudaEventRecord(piece.done, stream), "downloading");
    }
    if (k == 0) continue;
    const auto& rows = all[k - 1];
    const Piece& piece = pieces_[(k - 1) % 2];
    check(cudaEventSynchronize(piece.done), "downloading");
    copy_rows(piece.memory, rows.bytes, rows.host, rows.host_pitch, rows.bytes, rows.count);
  }
}

}  // namespace stencil::cuda
