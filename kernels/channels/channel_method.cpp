#include "kernels/channels/channel_method.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "kernels/method/factors.hpp"
#include "kernels/method/fft_method.hpp"

namespace stencil {
namespace {

/// Returns the reason why transforms cannot sum the mask; empty if they can.
std::string obstacle_to_transforms(const ChannelMask& mask, const MethodSite& site) {
  if (site.on_gpu()) return "masks of channels and complex taps are transformed on CPUs only";
  if (mask.groups != 1 || mask.out * mask.in > most_transformed_pairs)
    return fmt::format(
        "at most {} pairs of an output and an input channel are transformed, and "
        "the mask has {} to {} channels in {} group{}",
        most_transformed_pairs, mask.channels(), mask.out, mask.groups,
        mask.groups == 1 ? "" : "s");
  return "";
}

bool has_one_line(const Mask& plane) {
  return plane.taps.height == 1 || plane.taps.width == 1;
}

/// The results of all input channels but the first are added to those of the first, and the direct
/// sums of channels keep several outputs in registers. Measured with complex numbers on two threads
/// of a processor with AVX-512: direct sums of 31 to 127 taps took 0.55 to 0.70 of the time that
/// the costs of one plane predict from the time of transforms.
constexpr double more_than_planes = 1.6;

MethodChoice by_transforms(const Mask& plane, const MethodSite& site) {
  MethodChoice choice =
      has_one_line(plane) ? fft_by_blocks(plane, site) : fft_by_tiles(plane, site);
  choice.fft_taps *= more_than_planes;
  return choice;
}

/// Returns whether the outputs and the mask are such that transforms can be considered.
bool may_be_transformed(const Mask& plane, const MethodSite& site) {
  const Index taps = plane.taps.count();
  if (has_one_line(plane)) return taps > 1 && taps <= most_fft_points / 2 && site.axis_outputs > 0;
  return site.world.outputs[0] > 0 && fits_fft_tiles(plane.taps.height, plane.taps.width);
}

}  // namespace

MethodChoice choose_for_channels(const ChannelMask& mask, MethodRequest request,
                                 const MethodSite& site) {
  const Mask plane = first_plane(mask);
  const std::string obstacle = obstacle_to_transforms(mask, site);
  MethodChoice choice = direct_sum(plane, "all taps of all channels");
  switch (request) {
    case MethodRequest::separable:
      throw ShapeError(
          "method = separable for a mask of channels or complex taps: use method = auto, direct or "
          "fft");
    case MethodRequest::fft:
      if (!obstacle.empty())
        throw ShapeError(fmt::format("method = fft: {}: use method = auto or direct", obstacle));
      require_fft_possible(plane, site);
      return plane.taps.count() == 1 ? choice : asked_for_fft(by_transforms(plane, site));
    case MethodRequest::automatic:
      // direct sums of integers are exact, which one plane of the mask cannot show
      if (obstacle.empty() && may_be_transformed(plane, site) && !are_integers(mask.values))
        choice = cheaper(std::move(choice), by_transforms(plane, site), site);
      break;
    case MethodRequest::direct:
      break;
  }
  return choice;
}

}  // namespace stencil
