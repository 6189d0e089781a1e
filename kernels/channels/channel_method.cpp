#include "kernels/channels/channel_method.hpp"

#include <fmt/core.h>

#include <utility>

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
        "at most {} pairs of an output and an input channel in one group are transformed, and the "
        "mask has {} to {} channels in {} group{}",
        most_transformed_pairs, mask.channels(), mask.out, mask.groups,
        mask.groups == 1 ? "" : "s");
  return "";
}

bool has_one_line(const Mask& plane) {
  return plane.taps.height == 1 || plane.taps.width == 1;
}

/// Returns the cost of transforms relative to direct sums, as a multiple of the same ratio for one
/// plane. Measured on two threads of a processor with AVX2: with two output channels, direct sums
/// of 31 to 127 taps took 0.55 to 0.70 of the time that the costs of one plane predict from the
/// time of transforms, because they use each input in a register for several outputs. With 4 and 16
/// inputs and one output channel, both methods take the same time at 50 to 75 taps in a column.
double relative_cost(const ChannelMask& mask) {
  return mask.out == 1 ? 1.05 : 1.6;
}

MethodChoice by_transforms(const ChannelMask& mask, const Mask& plane, const MethodSite& site) {
  MethodChoice choice =
      has_one_line(plane) ? fft_by_blocks(plane, site) : fft_by_tiles(plane, site);
  choice.fft_taps *= relative_cost(mask);
  return choice;
}

/// Returns a plane whose taps are not all integers or, if there is no such plane, the first plane:
/// direct sums of integers are exact, so transforms must save more time for them. Taps of 0 count,
/// because the sums of channels multiply them.
Mask plane_with_costs_of(const ChannelMask& mask) {
  for (Index out = 0; out < mask.out; ++out)
    for (Index in = 0; in < mask.in; ++in)
      if (Mask plane = plane_of(mask, out, in); !are_integers(plane.taps.values)) return plane;
  return plane_of(mask, 0, 0);
}

/// Returns whether the outputs and the mask are such that transforms can be considered.
bool may_be_transformed(const Mask& plane, const MethodSite& site) {
  const Index taps = plane.taps.count();
  if (has_one_line(plane)) return taps > 1 && taps <= most_fft_points / 2 && site.axis_outputs > 0;
  return site.world.outputs[0] > 0 && fits_fft_tiles(plane.taps.height, plane.taps.width);
}

MethodChoice choose(const ChannelMask& mask, MethodRequest request, const MethodSite& site) {
  const Mask plane = plane_with_costs_of(mask);
  const std::string obstacle = obstacle_to_transforms(mask, site);
  const MethodChoice direct = direct_sum(plane, "all taps of all channels");
  switch (request) {
    case MethodRequest::separable:
      throw ShapeError(
          "method = separable for a mask of channels or complex taps: use method = auto, direct or "
          "fft");
    case MethodRequest::fft:
      if (!obstacle.empty())
        throw ShapeError(fmt::format("method = fft: {}: use method = auto or direct", obstacle));
      require_fft_possible(plane, site);
      if (plane.taps.count() == 1)
        return direct_sum(plane, "the mask has one tap for each pair of channels");
      return asked_for_fft(by_transforms(mask, plane, site));
    case MethodRequest::direct:
      return direct_sum(plane, "asked for, all taps of all channels");
    case MethodRequest::automatic:
      break;
  }
  if (!obstacle.empty() || !may_be_transformed(plane, site)) return direct;
  return cheaper(direct, by_transforms(mask, plane, site), site);
}

}  // namespace

MethodChoice choose_for_channels(const ChannelMask& mask, MethodRequest request,
                                 const MethodSite& site) {
  MethodChoice choice = choose(mask, request, site);
  choice.mask = first_plane(mask);
  return choice;
}

}  // namespace stencil
