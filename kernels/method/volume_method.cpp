#include "kernels/method/volume_method.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "kernels/method/factors.hpp"
#include "kernels/method/fft_method.hpp"

namespace stencil {
namespace {

/// Returns the reason why the factors of which a mask was made cannot be used; empty if they can be
/// used.
std::string obstacle_to_given(const Mask& mask, const MethodSite& site) {
  if (mask.factors->terms == 1) return "";
  if (direct_taps(mask) < mask.taps.count())
    return "factors would lay taps on the points that the zeros leave out";
  if (site.renormalizes) return "a sum of products cannot leave missing points out";
  return "";
}

/// Returns the reason why the factors that were found cannot replace the mask; empty if they can.
std::string obstacle_to_found(const Mask& mask, const Factors& lines, double precision_eps) {
  if (!give_back(lines, mask.taps, precision_eps))
    return "it is not the product of one list of taps for each axis";
  if (!mask.multiply_zeros && !same_zeros(lines, mask.taps))
    return "its factors would lay taps on the points that the zeros leave out";
  return "";
}

/// Sets `choice` to a sum by the given factors of the mask, or by factors computed from its taps.
/// @returns the reason why such a sum is not possible; empty if it is possible
std::string by_factors(const Mask& mask, double precision_eps, const MethodSite& site,
                       MethodChoice& choice) {
  const Taps& taps = mask.taps;
  if (taps.height == 1 || taps.width == 1)
    return "it has one row or one column in each plane, and is a mask of two axes";
  if (std::all_of(taps.values.begin(), taps.values.end(), [](double t) { return t == 0; }))
    return "all taps are 0";
  choice = {.method = Method::separable, .mask = mask};
  const Index passes = taps.depth + taps.height + taps.width;
  if (mask.factors) {
    choice.reason = fmt::format("made of factors, {} instead of {} taps a point",
                                mask.factors->terms * passes, direct_taps(mask));
    return obstacle_to_given(mask, site);
  }
  const Factors& lines = choice.mask.factors.emplace(product_of_lines(taps));
  choice.error = reconstruction_error(lines, taps);
  choice.reason = fmt::format(
      "a product of three lines within {:.0e} of the mask, {} instead of {} taps a point",
      choice.error, passes, direct_taps(mask));
  return obstacle_to_found(mask, lines, precision_eps);
}

/// Returns a text with the ranks of a mask without factors; empty for other masks.
std::string rank_for(const Mask& mask, MethodRequest request, double precision_eps) {
  if (mask.factors || direct_taps(mask) == 0) return "";
  const Index most_side = request == MethodRequest::separable ? 64 : 16;
  return rank_words(mask.taps, precision_eps, most_side) + "; ";
}

/// Returns the choice between a direct sum and a sum by factors.
MethodChoice by_taps(const Mask& mask, MethodRequest request, double precision_eps,
                     const MethodSite& site) {
  const Index one_pass = direct_taps(mask);
  const std::string taps = fmt::format("{} taps a point over three axes", one_pass);
  if (request == MethodRequest::direct) return direct_sum(mask, "asked for, " + taps);
  const Index terms = mask.factors ? mask.factors->terms : 1;
  const Index passes = terms * (mask.taps.depth + mask.taps.height + mask.taps.width);
  constexpr Index much_less = 3;  // each pass must read and write the results of the pass before
  if (request == MethodRequest::automatic && much_less * passes >= one_pass)
    return direct_sum(mask, fmt::format("{}, against {} of passes", taps, passes));
  MethodChoice choice;
  const std::string obstacle = by_factors(mask, precision_eps, site, choice);
  if (obstacle.empty()) return choice;
  const std::string rank = rank_for(mask, request, precision_eps);
  if (request == MethodRequest::separable)
    throw ShapeError(fmt::format(
        "method = separable cannot sum this mask of three axes: {}{}: use method = auto", rank,
        obstacle));
  return direct_sum(mask, fmt::format("{}: {}{}", taps, rank, obstacle));
}

}  // namespace

MethodChoice choose_for_volume(const Mask& mask, MethodRequest request, double precision_eps,
                               const MethodSite& site) {
  if (request == MethodRequest::fft) {
    require_fft_possible(mask, site);
    if (site.renormalizes)
      throw ShapeError(
          "method = fft cannot leave missing points out of sums over three axes: use method = "
          "auto");
    return asked_for_fft(fft_by_tiles(mask, site));
  }
  MethodChoice choice = by_taps(mask, request, precision_eps, site);
  const Taps& taps = mask.taps;
  if (request != MethodRequest::automatic || choice.method != Method::direct || site.renormalizes ||
      site.on_gpu() || site.world.outputs[0] == 0 || taps.height == 1 || taps.width == 1 ||
      direct_taps(mask) == 0 || !fits_fft_tiles(taps.height, taps.width))
    return choice;
  return cheaper(std::move(choice), fft_by_tiles(mask, site), site);
}

}  // namespace stencil
