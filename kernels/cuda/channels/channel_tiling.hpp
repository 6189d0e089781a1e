#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil::cuda {

inline constexpr int patch_rows = 8;  ///< of outputs of a warp

/// Facts about a stencil and two views that the kernels need; strides in elements.
struct ChannelShape {
  int in = 1, out = 1, groups = 1;  ///< channels of one group, of all groups
  int height = 1, width = 1;        ///< of the mask
  int stride_y = 1, stride_x = 1;
  int ny = 0, nx = 0;  ///< of the output
  Index source_plane = 0, target_plane = 0;
  Index source_row = 0, target_row = 0;
  Index images = 0;
};

/// How the sum is divided into blocks of threads.
///
/// A warp computes `bundle` output channels of a patch of 8 lanes times 4 rows of lanes; each lane
/// has 16 bytes of points along x in two rows. In a block, `warps_out` warps compute different
/// output channels of the same points, and `warps_y` warps compute rows below each other. The block
/// copies `chunk` input channels of its tile, with their taps, to shared memory while it sums the
/// chunk before.
struct ChannelTiling {
  int bundle = 1;
  int bundles = 1;  ///< of one group
  int warps_out = 1, warps_y = 1;
  int chunk = 1;
  int tile_rows = 0, tile_pitch = 0;  ///< of the staged input of one channel, elements
  int stages = 1;
  int stage_bytes = 0;
  bool fits = false;  ///< into shared memory; else inputs are read through the cache

  int threads() const { return 32 * warps_out * warps_y; }
  int shared_bytes() const { return stages * stage_bytes; }
};

/// Output channels that one lane sums side by side: 8, 6, 4, 2 or 1.
int channel_bundle(Index out_per_group);

/// Elements from tap to tap of a bundle: whole 16-byte pieces where there are several.
template <int bundle>
inline constexpr int bundle_pitch = bundle == 6 ? 8 : bundle;
int bundle_pitch_of(int bundle);

ChannelTiling channel_tiling(const ChannelShape& shape, int element_size);

}  // namespace stencil::cuda
