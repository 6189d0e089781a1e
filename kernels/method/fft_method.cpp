#include "kernels/method/fft_method.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "kernels/method/factors.hpp"
#include "kernels/method/fft_tile_choice.hpp"
#include "kernels/method/gpu_costs.hpp"

namespace stencil {
namespace {

/// Returns the number of multiply-adds that the best other method must need, at least, before
/// transforms are considered. Fewer multiply-adds take some hundredths of a millisecond on CPUs, or
/// some tenths of a millisecond on GPUs, which is as long as loading a kernel. The number is larger
/// if all taps are integers, because direct sums of integers are exact.
double least_fft_adds(const Mask& mask, const MethodSite& site) {
  const bool whole = are_integers(mask.taps.values);
  if (site.on_gpu()) return whole ? 1e11 : 1e10;
  return whole ? 2e7 : 1e6;
}

/// Size in bytes from which on a world is usually computed in windows. For transforms along a long
/// column with a stride, a window needs far more inputs than it has outputs.
constexpr double long_column_bytes = 256 << 20;

/// Returns the least factor by which other methods must cost more than transforms, or than the
/// transfer between host and GPU, before transforms are chosen. The factor is above 1 because
/// transforms spread rounding errors over a block, and because transforms on several threads of a
/// CPU take up to a tenth longer than the costs of one thread predict.
double least_factor(const MethodSite& site) {
  return site.on_gpu() ? 1.1 : 1.05;
}

/// Returns the factor by which direct or separable sums must cost more than transforms before
/// transforms are chosen.
double worthwhile_fft(const MethodChoice& by_taps, const FftBlocks& blocks,
                      const MethodSite& site) {
  const double inputs = double(site.lines) * double(site.axis_outputs) * double(site.stride[0]);
  const bool leaves_rows_out = site.stride[0] > 1 && by_taps.mask.taps.width == 1 &&
                               inputs * double(site.world.element) >= long_column_bytes;
  if (!leaves_rows_out) return least_factor(site);
  const bool goes_back_as_one = !site.on_gpu() && fft_together(blocks.points, site.stride[0]) == 2;
  return goes_back_as_one ? 2.8 : 2.5;
}

}  // namespace

WayWork work_by_taps(const MethodChoice& choice, const MethodSite& site) {
  return work_by_taps(choice.mask, choice.separable_terms(), site);
}
double cost_by_taps(const MethodChoice& choice, const MethodSite& site) {
  return cost_in_taps(work_by_taps(choice, site), site.world.element);
}

MethodChoice fft_by_blocks(const Mask& mask, const MethodSite& site) {
  const Index width = mask.taps.height * mask.taps.width;
  const Index stride = site.stride[mask.taps.height == 1 ? 1 : 0];
  constexpr Index long_axis = Index{1} << 26;
  const Index dense = site.axis_outputs > 0 ? (site.axis_outputs - 1) * stride + 1 : long_axis;
  MethodChoice choice{.method = Method::fft, .mask = mask};
  choice.blocks = choose_fft_blocks(width, dense, site.lines);
  choice.work = work_by_blocks(choice.blocks, mask, site);
  choice.fft_taps = cost_in_taps(choice.work, site.world.element);
  choice.reason = fmt::format("blocks of {} points", choice.blocks.points);
  return choice;
}

MethodChoice fft_by_tiles(const Mask& mask, const MethodSite& site) {
  constexpr Index long_side = Index{1} << 13;
  const Taps& taps = mask.taps;
  FftTileWorld world = site.world;
  for (Index& outputs : world.outputs)
    if (outputs == 0) outputs = long_side;
  MethodChoice choice{.method = Method::fft, .mask = mask};
  choice.tiles = choose_fft_tiles(taps.height, taps.width, world, taps.depth);
  choice.work = work_by_tiles(choice.tiles, site);
  choice.fft_taps = cost_in_taps(choice.work, site.world.element);
  choice.reason =
      fmt::format("tiles of {} x {} points", choice.tiles.y.points, choice.tiles.x.points);
  return choice;
}

/// Returns the cost of one output. On GPUs the cost does not include the loading of a kernel, which
/// takes longer than all sums if there are few outputs.
double cost_of_sums(const MethodChoice& by_taps, const MethodSite& site) {
  WayWork work = work_by_taps(by_taps, site);
  if (site.on_gpu()) work.amounts[8] = work.amounts[9] = 0;
  return cost_in_taps(work, site.world.element);
}

MethodChoice cheaper(MethodChoice by_taps, MethodChoice fft, const MethodSite& site) {
  const double taps = cost_by_taps(by_taps, site);
  if (by_taps.costs.empty()) by_taps.costs = {{to_string(by_taps), taps}};
  by_taps.costs.push_back({"fft", fft.fft_taps});
  fft.costs = by_taps.costs;
  fft.reason += fmt::format(", at the cost of {:.0f} instead of {:.0f} taps a point ({})",
                            fft.fft_taps, taps, to_string(by_taps));
  const double factor = worthwhile_fft(by_taps, fft.blocks, site);
  if (fft.work.outputs * cost_of_sums(by_taps, site) < least_fft_adds(by_taps.mask, site) ||
      factor * fft.fft_taps >= taps)
    return by_taps;
  const double transfer = site.on_gpu() ? gpu_transfer_in_taps(by_taps.mask.taps, site) : 0;
  if (least_factor(site) * transfer < taps) return fft;
  by_taps.reason += fmt::format(
      "; fft would take {:.0f} instead of {:.0f} taps a point, but moving the points between host "
      "and GPU takes {:.0f}",
      fft.fft_taps, taps, transfer);
  return by_taps;
}

void require_fft_possible(const Mask& mask, const MethodSite& site) {
  require_fft_possible(mask);
  if (site.renormalizes && !site.fft_renormalizes())
    throw ShapeError(
        "method = fft cannot leave missing points out on a GPU as min_valid asks for: "
        "use method = auto or direct, or run on CPUs (backend = cpu)");
}

MethodChoice asked_for_fft(MethodChoice choice) {
  choice.reason = fmt::format("asked for, {}, at the cost of {:.0f} taps a point", choice.reason,
                              choice.fft_taps);
  return choice;
}

}  // namespace stencil
