#include "kernels/cuda/channels/element.cuh"
#include "kernels/cuda/channels/launchers.hpp"

namespace stencil::cuda {
namespace {

constexpr int across = 32, down = 4;  // numbers of points of a block along x and along y

/// Sums one point of `bundle` output channels per thread. The kernel is slower than the kernels
/// with tiles, but needs no shared memory.
template <class T, int bundle>
__global__ void sum_channels_through_cache(const ChannelShape shape, const T* source, T* target,
                                           const T* taps) {
  constexpr int pitch = bundle_pitch<bundle>;
  const int outs = shape.out / shape.groups, bundles = (outs + bundle - 1) / bundle;
  const unsigned tiles_x = (shape.nx + across - 1) / across;
  const unsigned tiles_y = (shape.ny + down - 1) / down;
  unsigned n = blockIdx.x;
  const int own = int(n % bundles);
  n /= bundles;
  const int x = int(n % tiles_x) * across + threadIdx.x;
  n /= tiles_x;
  const int y = int(n % tiles_y) * down + threadIdx.y;
  n /= tiles_y;
  const int group = int(n % shape.groups);
  const Index image = n / shape.groups;
  if (x >= shape.nx || y >= shape.ny) return;
  const Index area = Index(shape.height) * shape.width;
  const T* tap = taps + (Index(group) * bundles + own) * shape.in * area * pitch;
  T sum[bundle] = {};
  for (int c = 0; c < shape.in; ++c) {
    const Index plane = (image * shape.groups + group) * shape.in + c;
    const T* from = source + plane * shape.source_plane +
                    Index(y) * shape.stride_y * shape.source_row + Index(x) * shape.stride_x;
    for (int j = 0; j < shape.height; ++j, from += shape.source_row)
      for (int i = 0; i < shape.width; ++i, tap += pitch) {
        const T value = __ldg(from + i);
#pragma unroll
        for (int k = 0; k < bundle; ++k) sum[k] = fused(__ldg(tap + k), value, sum[k]);
      }
  }
#pragma unroll
  for (int k = 0; k < bundle; ++k) {
    if (own * bundle + k >= outs) continue;
    const Index plane = image * shape.out + Index(group) * outs + own * bundle + k;
    target[plane * shape.target_plane + y * shape.target_row + x] = clean(sum[k]);
  }
}

template <class T, int bundle>
int launch_bundles(const ChannelShape& shape, const T* source, T* target, const T* taps,
                   CUstream_st* stream) {
  const auto blocks_of = [](Index n, Index size) { return (n + size - 1) / size; };
  const Index blocks = shape.images * shape.groups * blocks_of(shape.ny, down) *
                       blocks_of(shape.nx, across) * blocks_of(shape.out / shape.groups, bundle);
  if (blocks > 0x7fffffff) return cudaErrorInvalidConfiguration;
  sum_channels_through_cache<T, bundle>
      <<<unsigned(blocks), dim3(across, down), 0, stream>>>(shape, source, target, taps);
  return cudaGetLastError();
}

}  // namespace

template <class T>
int launch_cached_channels(const ChannelShape& shape, int bundle, const T* source, T* target,
                           const T* taps, CUstream_st* stream) {
  switch (bundle) {
    case 1:
      return launch_bundles<T, 1>(shape, source, target, taps, stream);
    case 2:
      return launch_bundles<T, 2>(shape, source, target, taps, stream);
    case 4:
      return launch_bundles<T, 4>(shape, source, target, taps, stream);
    case 6:
      return launch_bundles<T, 6>(shape, source, target, taps, stream);
    default:
      return launch_bundles<T, 8>(shape, source, target, taps, stream);
  }
}

template int launch_cached_channels(const ChannelShape&, int, const float*, float*, const float*,
                                    CUstream_st*);
template int launch_cached_channels(const ChannelShape&, int, const double*, double*, const double*,
                                    CUstream_st*);

}  // namespace stencil::cuda
