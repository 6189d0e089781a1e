#include "kernels/method.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "kernels/factors.hpp"

namespace stencil {
namespace {

/// Multiplications for one output of the direct sum.
Index direct_taps(const Mask& mask) {
  const auto& values = mask.taps.values;
  if (mask.multiply_zeros) return Index(values.size());
  return Index(values.size()) - std::count(values.begin(), values.end(), 0.0);
}

MethodChoice direct(const Mask& mask, std::string reason) {
  return {.method = Method::direct, .mask = mask, .reason = std::move(reason)};
}

/// Most that the terms of a sum may weigh, in masks: see choose_method.
constexpr double most_mass = 2;

/// How many times fewer taps a sum of several terms has to take than the direct sum. Their row sums
/// go through the cache: it is as fast at 1.9 times.
constexpr double worthwhile_saving = 2.3;

/// Why a sum of outer products cannot stand for the mask, or is not worth it; empty where it is.
std::string obstacle(const Mask& mask, const Factors& factors, MethodRequest request,
                     double precision_eps, const MethodSite& site) {
  const Taps& taps = mask.taps;
  const bool automatic = request == MethodRequest::automatic, several = factors.terms > 1;
  const Index one_pass = direct_taps(mask), passes = factors.terms * (taps.height + taps.width);
  const std::string sum = several ? fmt::format("a sum of {} columns times rows", factors.terms)
                                  : "a column times a row";
  if (!give_back(factors, taps, precision_eps)) return "no such sum gives it back";
  if (!mask.multiply_zeros &&
      (several ? one_pass < Index(taps.values.size()) : !same_zeros(factors, taps)))
    return sum + " would lay taps on the points that the zeros leave out";
  if (!several) return "";
  if (double(passes) * (automatic ? worthwhile_saving : 1) >= double(one_pass))
    return fmt::format("{} takes {} taps a point, against {} of the direct sum", sum, passes,
                       one_pass);
  if (const double weight = mass(factors, taps); weight > most_mass)
    return fmt::format("{} weighs {:.1f} times the mask, most of which cancels", sum, weight);
  if (site.renormalizes) return sum + " cannot leave missing points out";
  if (automatic && site.stride > 1) return sum + " saves less where outputs are left out";
  if (automatic && are_integers(taps.values) &&
      !(are_integers(factors.column) && are_integers(factors.row)))
    return sum + " has factors that are no whole numbers";
  return "";
}

/// A mask that is not summed by factors.
MethodChoice not_separable(const Mask& mask, MethodRequest request, double precision_eps,
                           const std::string& why) {
  // nobody waits half a second for words that nobody asked for
  const Index most_side = request == MethodRequest::separable ? 256 : 32;
  const std::string rank = rank_words(mask.taps, precision_eps, most_side);
  if (request == MethodRequest::separable) {
    throw ShapeError(fmt::format(
        "method = separable needs a mask that is a column times a row, or a sum of 2 or 3 of them: "
        "this one has {}; {}: use method = auto or direct",
        rank, why));
  }
  return direct(mask, fmt::format("{}; {}", rank, why));
}

/// A mask so large that only its factors were written out.
MethodChoice by_factors_only(const Mask& mask, MethodRequest request) {
  const Taps& taps = mask.taps;
  if (request == MethodRequest::direct)
    throw ShapeError(
        fmt::format("method = direct would take {} x {} taps a point: use method = auto",
                    taps.height, taps.width));
  return {.method = Method::separable,
          .mask = mask,
          .reason = fmt::format("made as a column times a row, {} instead of {} taps a point",
                                taps.height + taps.width, taps.height * taps.width)};
}

/// Multiply-adds from which on a plan is worth making: about a tenth of a millisecond of them.
constexpr double least_fft_adds = 1 << 24;

MethodChoice along_one_axis(const Mask& mask, MethodRequest request, const MethodSite& site) {
  const Index width = mask.taps.height * mask.taps.width;
  const bool automatic = request == MethodRequest::automatic;
  if (request == MethodRequest::fft) require_fft_possible(mask, site.renormalizes);
  if (width == 1) return direct(mask, "the mask has one tap");  // which lies along no axis
  const double outputs = double(site.lines) * double(site.axis_outputs);
  const bool may_be_fft = automatic && !site.renormalizes && width <= most_fft_points / 2 &&
                          outputs * double(width) >= least_fft_adds;
  if (request != MethodRequest::fft && !may_be_fft) return direct(mask, "the mask has one axis");

  constexpr Index long_axis = Index{1} << 26;
  const Index dense = site.axis_outputs > 0 ? (site.axis_outputs - 1) * site.stride + 1 : long_axis;
  MethodChoice choice{.method = Method::fft, .mask = mask};
  choice.blocks = choose_fft_blocks(width, dense, site.lines);
  choice.fft_taps = fft_cost_in_taps(choice.blocks, dense, site.lines) * double(site.stride);
  if (automatic) choice.costs = {{"direct", double(width)}, {"fft", choice.fft_taps}};
  if (automatic && choice.fft_taps >= double(width)) {
    MethodChoice taken =
        direct(mask, fmt::format("{} taps a point, no more than the {:.0f} that an fft costs",
                                 width, choice.fft_taps));
    taken.costs = choice.costs;
    return taken;
  }
  choice.reason =
      fmt::format("{}blocks of {} points, at the cost of {:.0f} instead of {} taps a point",
                  automatic ? "" : "asked for, ", choice.blocks.points, choice.fft_taps, width);
  return choice;
}

}  // namespace

std::string to_string(Method method) {
  if (method == Method::fft) return "fft";
  return method == Method::separable ? "separable" : "direct";
}

std::string to_string(const MethodChoice& choice) {
  const Index terms = choice.separable_terms();
  return terms > 1 ? fmt::format("sum of {} separable", terms) : to_string(choice.method);
}

namespace {

/// A 2D mask, tap by tap or by factors.
MethodChoice by_taps(const Mask& mask, MethodRequest request, double precision_eps,
                     const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (std::all_of(taps.values.begin(), taps.values.end(), [](double t) { return t == 0; }))
    return direct(mask, "all taps are 0");
  const Index one_pass = direct_taps(mask);
  if (request == MethodRequest::direct) {
    return direct(mask, fmt::format("asked for, {} taps a point", one_pass));
  }
  const Index two_passes = taps.height + taps.width;
  if (request == MethodRequest::automatic && two_passes >= one_pass) {
    return direct(mask, fmt::format("{} taps a point, no more than the {} of two passes", one_pass,
                                    two_passes));
  }

  MethodChoice choice{.method = Method::separable, .mask = mask};
  Factors& factors = choice.mask.factors
                         ? *choice.mask.factors
                         : choice.mask.factors.emplace(sum_of_crosses(taps, precision_eps));
  choice.error = reconstruction_error(factors, taps);
  if (!mask.factors)
    if (const auto why = obstacle(mask, factors, request, precision_eps, site); !why.empty())
      return not_separable(mask, request, precision_eps, why);
  choice.reason = fmt::format("rank {} within {:.0e} of the mask, {} instead of {} taps a point",
                              factors.terms, choice.error, factors.terms * two_passes, one_pass);
  return choice;
}

/// What a tap takes longer than a multiply-add in registers: measured shares of that limit. The row
/// sums of several terms go through the cache.
double cost_in_taps(const MethodChoice& choice) {
  constexpr double direct_share = 0.95, separable_share = 0.8, several_share = 0.5;
  const Taps& taps = choice.mask.taps;
  const Index terms = choice.separable_terms();
  if (terms == 0) return double(direct_taps(choice.mask)) / direct_share;
  return double(terms * (taps.height + taps.width)) / (terms > 1 ? several_share : separable_share);
}

MethodChoice by_tiles(const Mask& mask, const MethodSite& site) {
  constexpr Index long_side = Index{1} << 13;
  const Taps& taps = mask.taps;
  FftTileWorld world = site.world;
  for (Index& outputs : world.outputs)
    if (outputs == 0) outputs = long_side;
  MethodChoice choice{.method = Method::fft, .mask = mask};
  choice.tiles = choose_fft_tiles(taps.height, taps.width, world);
  choice.fft_taps = fft_cost_in_taps(choice.tiles, world) * double(site.stride);
  choice.reason = fmt::format("tiles of {} x {} points, at the cost of {:.0f}",
                              choice.tiles.y.points, choice.tiles.x.points, choice.fft_taps);
  return choice;
}

MethodChoice asked_by_tiles(const Mask& mask, const MethodSite& site) {
  require_fft_possible(mask, site.renormalizes);
  if (!site.has_tiles)
    throw ShapeError(
        fmt::format("method = fft is for 1D masks on a GPU, this one has {} x {} taps: use method "
                    "= auto, direct or separable, or run.backend = cpu",
                    mask.taps.height, mask.taps.width));
  MethodChoice choice = by_tiles(mask, site);
  choice.reason = fmt::format("asked for, {} taps a point", choice.reason);
  return choice;
}

}  // namespace

MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps,
                           const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (taps.height == 1 || taps.width == 1) return along_one_axis(mask, request, site);
  if (request == MethodRequest::fft) return asked_by_tiles(mask, site);
  if (taps.values.empty()) return by_factors_only(mask, request);
  MethodChoice choice = by_taps(mask, request, precision_eps, site);
  if (request != MethodRequest::automatic || site.renormalizes || !site.has_tiles ||
      site.world.outputs[0] == 0 || !fits_fft_tiles(taps.height, taps.width))
    return choice;
  MethodChoice tiles = by_tiles(mask, site);
  const double taps_before = cost_in_taps(choice);
  if (choice.method != Method::direct) choice.costs = {{"direct", cost_in_taps(direct(mask, ""))}};
  choice.costs.push_back({to_string(choice), taps_before});
  choice.costs.push_back({"fft", tiles.fft_taps});
  if (tiles.fft_taps >= taps_before) return choice;
  tiles.costs = choice.costs;
  tiles.reason +=
      fmt::format(" instead of {:.0f} taps a point ({})", taps_before, to_string(choice));
  return tiles;
}

}  // namespace stencil
