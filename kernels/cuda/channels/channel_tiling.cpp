#include "kernels/cuda/channels/channel_tiling.hpp"

#include <algorithm>

namespace stencil::cuda {
namespace {

// bytes of a stage; small enough that several blocks share a multiprocessor
constexpr int wanted_stage = 20 << 10;
constexpr int most_shared = 200 << 10;  // bytes; a block can have 227 KiB

int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

/// Returns the number of warps of a block that compute different output channels: the number that
/// leaves the fewest warps idle or, among equally good numbers, the largest.
int warps_for(int bundles) {
  int best = 1;
  for (const int warps : {2, 4, 8})
    if (divide_up(bundles, warps) * warps <= divide_up(bundles, best) * best) best = warps;
  return best;
}

}  // namespace

int channel_bundle(Index out_per_group) {
  // The cost of a tap is one multiply-add per channel and a part of the loads of inputs.
  constexpr Index loading = 3;
  int best = 1;
  Index least = out_per_group * (1 + loading);
  for (const int bundle : {2, 4, 6, 8}) {
    const Index cost = (out_per_group + bundle - 1) / bundle * (bundle + loading);
    if (cost < least) best = bundle, least = cost;
  }
  return best;
}

int bundle_pitch_of(int bundle) {
  return bundle == 6 ? bundle_pitch<6> : bundle;
}

ChannelTiling channel_tiling(const ChannelShape& shape, int element_size) {
  const int vector = 16 / element_size, out = shape.out / shape.groups;
  ChannelTiling t;
  t.bundle = channel_bundle(out);
  t.bundles = divide_up(out, t.bundle);
  t.warps_out = warps_for(t.bundles);
  t.warps_y = std::max(1, std::min(4 / t.warps_out, divide_up(shape.ny, patch_rows)));
  const Index across = 8 * vector;
  const Index rows = Index(patch_rows * t.warps_y - 1) * shape.stride_y + shape.height;
  const Index columns = shape.stride_x == 1
                            ? across + (shape.width - 1 + vector - 1) / vector * vector
                            : (across - 1) * shape.stride_x + shape.width;
  // the taps follow the inputs, in pieces of 16 bytes
  const Index pitch = (columns + vector - 1) / vector * vector;
  const Index taps =
      Index(shape.height) * shape.width * bundle_pitch_of(t.bundle) * t.warps_out * element_size;
  const Index bytes = rows * pitch * element_size + (taps + 15) / 16 * 16;
  if (bytes > most_shared) return t;
  const int most_chunk = int(std::clamp<Index>(wanted_stage / bytes, 1, shape.in));
  const int chunks = divide_up(shape.in, most_chunk);
  t.chunk = divide_up(shape.in, chunks);
  t.stages = std::min(2, chunks);
  if (t.stages * t.chunk * bytes > most_shared) t.stages = 1;
  t.tile_rows = int(rows);
  t.tile_pitch = int(pitch);
  t.stage_bytes = int(t.chunk * bytes);
  t.fits = true;
  return t;
}

}  // namespace stencil::cuda
