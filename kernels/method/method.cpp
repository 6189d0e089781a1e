#include "kernels/method/method.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "kernels/method/factors.hpp"
#include "kernels/method/fft_method.hpp"
#include "kernels/method/volume_method.hpp"

namespace stencil {
namespace {

/// Largest value of mass() for which a mask may be summed as several terms: see choose_method.
constexpr double most_mass = 2;

/// Returns the reason why a sum of outer products cannot replace the mask or is not faster; an
/// empty text if it can replace the mask and is faster.
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
  if (passes >= one_pass)
    return fmt::format("{} takes {} taps a point, against {} of the direct sum", sum, passes,
                       one_pass);
  if (const double weight = mass(factors, taps); weight > most_mass)
    return fmt::format("{} weighs {:.1f} times the mask, most of which cancels", sum, weight);
  if (site.renormalizes) return sum + " cannot leave missing points out";
  if (automatic && !site.has_strided_sums() && site.stride != std::array<Index, 2>{1, 1})
    return sum + " saves less where outputs are left out";
  if (automatic && are_integers(taps.values) &&
      !(are_integers(factors.column) && are_integers(factors.row)))
    return sum + " has factors that are not whole numbers";
  return "";
}

/// Returns the choice for a mask that is not summed by factors.
MethodChoice not_separable(const Mask& mask, MethodRequest request, double precision_eps,
                           const std::string& why) {
  // finding the rank of a large mask takes half a second, which is too long unless separable sums
  // were requested
  const Index most_side = request == MethodRequest::separable ? 256 : 32;
  const std::string rank = rank_words(mask.taps, precision_eps, most_side);
  if (request == MethodRequest::separable) {
    throw ShapeError(fmt::format(
        "method = separable needs a mask that is a column times a row, or a sum of 2 or 3 of them: "
        "this one has {}; {}: use method = auto or direct",
        rank, why));
  }
  return direct_sum(mask, fmt::format("{}; {}", rank, why));
}

/// Returns the choice for an outer product so large that its taps were not computed.
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

MethodChoice along_one_axis(const Mask& mask, MethodRequest request, const MethodSite& site) {
  const Index width = mask.taps.height * mask.taps.width;
  if (request == MethodRequest::fft) require_fft_possible(mask, site);
  if (width == 1) return direct_sum(mask, "the mask has one tap");  // a single tap has no direction
  if (request == MethodRequest::fft) return asked_for_fft(fft_by_blocks(mask, site));
  const bool may_be_fft = request == MethodRequest::automatic && site.axis_outputs > 0 &&
                          (!site.renormalizes || site.fft_renormalizes()) &&
                          width <= most_fft_points / 2;
  MethodChoice choice = direct_sum(mask, "the mask has one axis");
  return may_be_fft ? cheaper(std::move(choice), fft_by_blocks(mask, site), site) : choice;
}

/// Returns the choice between a direct sum and a sum by factors for a 2D mask.
MethodChoice by_taps(const Mask& mask, MethodRequest request, double precision_eps,
                     const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (std::all_of(taps.values.begin(), taps.values.end(), [](double t) { return t == 0; }))
    return direct_sum(mask, "all taps are 0");
  const Index one_pass = direct_taps(mask);
  if (request == MethodRequest::direct) {
    return direct_sum(mask, fmt::format("asked for, {} taps a point", one_pass));
  }
  const Index two_passes = taps.height + taps.width;
  if (request == MethodRequest::automatic && two_passes >= one_pass) {
    return direct_sum(mask, fmt::format("{} taps a point, no more than the {} of two passes",
                                        one_pass, two_passes));
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

/// Number of taps of an outer product up to which two passes are hardly faster than a direct sum.
constexpr Index few_taps = 9;

/// Returns the direct sum instead of factors if it costs less. If the costs are nearly equal, a
/// column times a row is summed by factors, but several terms are not, because their rounding
/// errors are larger and they may turn Inf into NaN.
MethodChoice cheaper_by_taps(MethodChoice factors, const MethodSite& site) {
  MethodChoice whole = direct_sum(factors.mask, "");
  const double one_pass = cost_by_taps(whole, site), passes = cost_by_taps(factors, site);
  factors.costs = {{to_string(whole), one_pass}, {to_string(factors), passes}};
  whole.costs = factors.costs;
  whole.reason = fmt::format("at the cost of {:.1f} taps a point, {} at {:.1f}", one_pass,
                             to_string(factors), passes);
  constexpr double much_less = 1.1;
  const bool prefers_direct = factors.separable_terms() > 1 || direct_taps(whole.mask) <= few_taps;
  const bool is_worth_it =
      prefers_direct ? much_less * passes < one_pass : passes < much_less * one_pass;
  return is_worth_it ? factors : whole;
}

/// Returns the direct sum instead of a column times a row of up to 9 taps, for which writing and
/// reading the row sums takes longer than the multiply-adds that they save. For larger masks the
/// factors are nearly always faster, so the choice does not depend on the world, and neither do the
/// bits.
MethodChoice long_enough(MethodChoice factors) {
  const Taps& taps = factors.mask.taps;
  const Index one_pass = direct_taps(factors.mask), two_passes = taps.height + taps.width;
  if (one_pass > few_taps) return factors;
  return direct_sum(
      factors.mask,
      fmt::format("rank 1, but {} taps a point take no longer than the {} of two passes", one_pass,
                  two_passes));
}

MethodChoice asked_by_tiles(const Mask& mask, const MethodSite& site) {
  require_fft_possible(mask, site);
  return asked_for_fft(fft_by_tiles(mask, site));
}

MethodChoice choose(const Mask& mask, MethodRequest request, double precision_eps,
                    const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (taps.depth > 1) return choose_for_volume(mask, request, precision_eps, site);
  if (taps.height == 1 || taps.width == 1) return along_one_axis(mask, request, site);
  if (request == MethodRequest::fft) return asked_by_tiles(mask, site);
  if (taps.values.empty()) return by_factors_only(mask, request);
  MethodChoice choice = by_taps(mask, request, precision_eps, site);
  if (request != MethodRequest::automatic) return choice;
  const Index terms = choice.separable_terms();
  const bool is_strided = site.stride != std::array<Index, 2>{1, 1};
  if (terms > 1 || (terms == 1 && (is_strided || site.on_gpu())))
    choice = cheaper_by_taps(std::move(choice), site);
  else if (terms == 1)
    choice = long_enough(std::move(choice));
  if (site.renormalizes && !site.fft_renormalizes()) return choice;
  if (site.world.outputs[0] == 0 || !fits_fft_tiles(taps.height, taps.width)) return choice;
  return cheaper(std::move(choice), fft_by_tiles(mask, site), site);
}

}  // namespace

MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps,
                           const MethodSite& site) {
  MethodChoice choice = choose(mask, request, precision_eps, site);
  if (choice.method != Method::fft) choice.work = work_by_taps(choice, site);
  return choice;
}

}  // namespace stencil
