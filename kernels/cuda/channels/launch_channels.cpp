#include "kernels/cuda/channels/launch_channels.hpp"

#include <fmt/format.h>

#include "framework/device/cuda/check.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/channels/channel_tiling.hpp"
#include "kernels/cuda/channels/launchers.hpp"

namespace stencil::cuda {

namespace {

constexpr Index most_points_along = Index{1} << 30;  // indices within a plane are int

template <class T>
ChannelShape shape_of(const ChannelStencil<T>& stencil) {
  ChannelShape shape;
  shape.in = int(stencil.in);
  shape.out = int(stencil.out);
  shape.groups = int(stencil.groups);
  shape.height = int(stencil.height);
  shape.width = int(stencil.width);
  shape.stride_y = int(stencil.stride[0]);
  shape.stride_x = int(stencil.stride[1]);
  return shape;
}

template <class T>
bool in_whole_pieces(const FieldView<const T>& view) {
  constexpr Index piece = 16 / Index(sizeof(T));
  return view.row_pitch % piece == 0 && view.batch_pitch % piece == 0;
}

}  // namespace

template <class T>
std::vector<T> packed_channel_taps(const ChannelStencil<T>& stencil) {
  const Index out = stencil.out_per_group(), taps = stencil.taps_per_output();
  const int bundle = channel_bundle(out), pitch = bundle_pitch_of(bundle);
  const Index bundles = (out + bundle - 1) / bundle;
  std::vector<T> packed(std::size_t(stencil.groups * bundles * taps * pitch), T(0));
  for (Index o = 0; o < stencil.out; ++o) {
    const Index group = o / out, within = o % out;
    const Index first = (group * bundles + within / bundle) * taps * pitch + within % bundle;
    for (Index tap = 0; tap < taps; ++tap)
      packed[first + tap * pitch] = stencil.taps[o * taps + tap];
  }
  return packed;
}

template <class T>
void launch_channels(const ChannelStencil<T>& stencil, const T* device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  for (const Index extent : {source.extent[1], source.extent[2]})
    if (extent > most_points_along)
      throw ShapeError(fmt::format(
          "{} points along one axis of a block are more than the channel kernels of a GPU count: "
          "use more ranks along it",
          extent));
  ChannelShape shape = shape_of(stencil);
  shape.images = images_in(stencil.channels(), stencil.out, source.extent, target.extent);
  if (points(target.extent) == 0) return;
  shape.ny = int(target.extent[1]);
  shape.nx = int(target.extent[2]);
  shape.source_plane = source.batch_pitch;
  shape.source_row = source.row_pitch;
  shape.target_plane = target.batch_pitch;
  shape.target_row = target.row_pitch;
  int error = 0;
  if (is_depthwise(shape) && in_whole_pieces(source)) {
    error = launch_depthwise(shape, source.data, target.data, device_taps, stream);
  } else if (const ChannelTiling tiling = channel_tiling(shape, sizeof(T)); tiling.fits) {
    error = launch_tiled_channels(shape, tiling, source.data, target.data, device_taps, stream);
  } else {
    error =
        launch_cached_channels(shape, tiling.bundle, source.data, target.data, device_taps, stream);
  }
  check(error, "launch of " + channels_name(stencil));
}

template <class T>
std::string channels_name(const ChannelStencil<T>& stencil) {
  const ChannelShape shape = shape_of(stencil);
  if (is_depthwise(shape)) return fmt::format("cuda depthwise {}x{}", shape.height, shape.width);
  const ChannelTiling tiling = channel_tiling(shape, sizeof(T));
  return fmt::format(
      "cuda channels {} -> {}{}, {}x{}, bundles of {}{}", stencil.channels(), stencil.out,
      stencil.groups == 1 ? "" : fmt::format(" in {} groups", stencil.groups), stencil.height,
      stencil.width, tiling.bundle, tiling.fits ? "" : ", through the cache");
}

template std::vector<float> packed_channel_taps(const ChannelStencil<float>&);
template std::vector<double> packed_channel_taps(const ChannelStencil<double>&);
template void launch_channels(const ChannelStencil<float>&, const float*, FieldView<const float>,
                              FieldView<float>, CUstream_st*);
template void launch_channels(const ChannelStencil<double>&, const double*, FieldView<const double>,
                              FieldView<double>, CUstream_st*);
template std::string channels_name(const ChannelStencil<float>&);
template std::string channels_name(const ChannelStencil<double>&);

}  // namespace stencil::cuda
