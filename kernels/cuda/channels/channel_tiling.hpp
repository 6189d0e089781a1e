#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil::cuda {

inline constexpr int patch_rows = 8;  ///< number of rows of outputs of a warp

/// Properties of a stencil and two views that the kernels need. Strides are in elements.
struct ChannelShape {
  int in = 1, out = 1, groups = 1;  ///< input channels of one group; output channels of all groups
  int height = 1, width = 1;        ///< sides of the mask
  int stride_y = 1, stride_x = 1;
  int ny = 0, nx = 0;  ///< sides of the output
  Index source_plane = 0, target_plane = 0;
  Index source_row = 0, target_row = 0;
  Index images = 0;
};

/// Division of the sum into blocks of threads.
///
/// A warp computes `bundle` output channels of a patch of points. The patch has 8 lanes along x and
/// 4 along y; each lane has 16 bytes of points along x in two rows. In a block, `warps_out` warps
/// compute different output channels of the same points, and `warps_y` warps compute different
/// rows. The block copies `chunk` input channels of its tile, with their taps, to shared memory
/// while it sums the previous chunk.
struct ChannelTiling {
  int bundle = 1;
  int bundles = 1;  ///< bundles of one group
  int warps_out = 1, warps_y = 1;
  int chunk = 1;
  /// Number of rows of one staged channel, and number of elements per row.
  int tile_rows = 0, tile_pitch = 0;
  int stages = 1;
  int stage_bytes = 0;
  bool fits = false;  ///< whether the stages fit into shared memory; else the cache is used

  int threads() const { return 32 * warps_out * warps_y; }
  int shared_bytes() const { return stages * stage_bytes; }
};

/// Number of output channels that one lane sums: 8, 6, 4, 2 or 1.
int channel_bundle(Index out_per_group);

/// Number of elements from one tap of a bundle to the next. If the channels of a tap take more than
/// 16 bytes, they are padded to a whole number of pieces of 16 bytes.
template <int bundle>
inline constexpr int bundle_pitch = bundle == 6 ? 8 : bundle;
int bundle_pitch_of(int bundle);

ChannelTiling channel_tiling(const ChannelShape& shape, int element_size);

}  // namespace stencil::cuda
