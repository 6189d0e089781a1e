#pragma once

#include <cstdint>

#include "kernels/cuda/production/kernel_arguments.hpp"
#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/strided_sums.cuh"

namespace stencil::cuda {

/// Starts the copies of the elements [source.first, source.last) of some rows to a ring with the
/// layout Spans. Called by one warp, which copies the rows `row`, row + warps, ... below `count`.
/// Row 0 is copied to slot `slot` of the ring.
/// @pre the ring's rows are aligned to 16 bytes
template <class Layout, int bytes, class T>
__device__ __forceinline__ void stage_spans_by(const RowSource<T>& source, T* ring, int pitch,
                                               int slots, int slot, int row, int warps, int count) {
  constexpr int n = bytes / int(sizeof(T)), step = 32 * n;
  constexpr int all = Layout::span / n + 1, most = all < 8 ? all : 8;
  const int lane = threadIdx.x % 32;
  const int begin = (source.first + n - 1) / n * n, end = source.last / n * n;
  const int own = begin + lane * n;
  int places[most];
#pragma unroll
  for (int k = 0; k < most; ++k) places[k] = Layout::at(own + k * step);
  // elements of granules in which some elements do not exist are copied one by one
  int edge = source.last;
  if constexpr (n > 1) {
    const int low = max(0, min(begin, source.last) - source.first);
    edge = lane < low ? source.first + lane : max(begin, end) + lane - low;
  }
  const int edge_place = Layout::at(edge);
  slot += row;
  const T* from = source.from + row * source.pitch;
#pragma unroll 1
  for (; row < count; row += warps, slot += warps, from += warps * source.pitch) {
    if (slot >= slots) slot -= slots;
    T* const to = ring + slot * pitch;
    int e = own;
#pragma unroll
    for (int k = 0; k < most; ++k, e += step) {
      if (e < end) start_copy<bytes>(to + places[k], from + e);
    }
#pragma unroll 4
    for (; e < end; e += step) start_copy<bytes>(to + Layout::at(e), from + e);
    if (edge < source.last) start_copy<int(sizeof(T))>(to + edge_place, from + edge);
  }
}

template <class Layout, class T>
__device__ __forceinline__ void stage_spans(const RowSource<T>& source, T* ring, int pitch,
                                            int slots, int slot, int row, int warps, int count) {
  if (source.granule == 16) {
    stage_spans_by<Layout, 16>(source, ring, pitch, slots, slot, row, warps, count);
  } else if (source.granule == 8) {
    stage_spans_by<Layout, 8>(source, ring, pitch, slots, slot, row, warps, count);
  } else if constexpr (sizeof(T) == 4) {
    stage_spans_by<Layout, 4>(source, ring, pitch, slots, slot, row, warps, count);
  }
}

/// Starts the copies of one row, like the function with the same name that precedes it does for
/// several rows.
template <class Layout, class T>
__device__ __forceinline__ void stage_spans(const RowSource<T>& source, T* to) {
  stage_spans<Layout>(source, to, 0, 1, 0, 0, 1, 1);
}

template <class T>
std::uintptr_t address_bits(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Returns the alignment in bytes of the inputs of the output that is `shift` outputs before the
/// first one. The alignment is the same in all rows.
template <class T>
int granule_of(const KernelArguments<T>& arguments, int shift) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  std::uintptr_t bits = address_bits(arguments.source) - bytes(shift * arguments.stride_x);
  if (arguments.rows > 1 || arguments.height > 1) bits |= bytes(arguments.source_row);
  if (arguments.batches > 1) bits |= bytes(arguments.source_batch);
  return bits % 16 == 0 ? 16 : bits % 8 == 0 ? 8 : 4;
}

/// Returns the number of elements from an address aligned to 16 bytes to the first target, if it is
/// the same in all rows, else -1.
template <class T>
int target_shift(const KernelArguments<T>& arguments) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  std::uintptr_t pitches = arguments.rows > 1 ? bytes(arguments.target_row) : 0;
  if (arguments.batches > 1) pitches |= bytes(arguments.target_batch);
  return pitches % 16 == 0 ? int(address_bits(arguments.target) % 16 / sizeof(T)) : -1;
}

}  // namespace stencil::cuda
