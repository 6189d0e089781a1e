#include "drivers/plan/stage_mask.hpp"

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "drivers/plan/refuse.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "kernels/families.hpp"
#include "kernels/families_firwin.hpp"
#include "kernels/families_savgol.hpp"

namespace stencil {
namespace {

/// The axis counted from the first.
/// @param key  as in messages, `input.axis` or `[stencil.NAME] axis`
int checked_axis(const std::string& key, int axis, int rank) {
  if (axis < -rank || axis >= rank)
    throw WordsError(fmt::format("{} = {}: the dataset has {} {}, write {} to {}", key, axis, rank,
                                 rank == 1 ? "axis" : "axes", -rank, rank - 1));
  return axis < 0 ? axis + rank : axis;
}

Taps taps_of_file(const StageConfig& stage, const SmallArray& array) {
  for (double tap : array.values)
    if (!std::isfinite(tap))
      refuse(stage,
             fmt::format("mask = {} holds NaN or Inf: mend the mask", shortened(stage.mask.text)));
  const bool two = array.dims.size() == 2;
  return {.height = two ? array.dims[0] : 1, .width = array.dims.back(), .values = array.values};
}

/// Everything that decides a mask, gathered so that the functions below stay short.
struct Maker {
  const StageConfig& stage;
  int rank;
  std::optional<int> axis;  ///< given by the user, for this stage or for the input; from the first
  const std::vector<double>& sampling_rate;

  int one_axis() const { return axis.value_or(rank - 1); }
  std::vector<int> last_two() const {
    if (rank < 2)
      refuse(stage, fmt::format("mask = {} is two-dimensional, but the dataset has one axis: {}",
                                shortened(stage.mask.text), one_axis_instead()));
    return {rank - 2, rank - 1};
  }
  /// How to come by a mask of one axis.
  const char* one_axis_instead() const {
    if (stage.mask.family != nullptr) return "write rank = 1";
    return stage.mask.location ? "store it with one axis, or name another mask"
                               : "write its taps in one row, without ;";
  }

  StageMask one_dimensional(std::vector<double> taps) const {
    const Index origin = value_along(stage, "origin", stage.origin, 0, 1);
    return {make_mask_1d(std::move(taps), origin, false), {one_axis()}, {}};
  }
  std::array<Index, 2> origins() const {
    return {value_along(stage, "origin", stage.origin, 0, 2),
            value_along(stage, "origin", stage.origin, 1, 2)};
  }
  StageMask two_dimensional(Taps taps) const {
    return {make_mask_2d(std::move(taps), origins()), last_two(), {}};
  }
  StageMask outer(std::vector<double> column, std::vector<double> row) const {
    return {make_mask_outer({std::move(column), std::move(row)}, origins()), last_two(), {}};
  }
  StageMask of_channels(const SmallArray& array) const {
    if (rank < 3)
      refuse(stage, fmt::format("mask = {} of 4 axes needs a dataset of three or more, channels "
                                "before the last two, but it has {}",
                                shortened(stage.mask.text), rank));
    ChannelMask channels = make_channel_mask(array.dims, array.values, stage.groups);
    const auto plane = array.values.begin();
    StageMask result = two_dimensional(
        {channels.height, channels.width, {plane, plane + channels.height * channels.width}});
    result.channels = std::move(channels);
    return result;
  }

  /// Families that exist in one and in two dimensions: as asked, else along one axis where the user
  /// named an axis, else over the grid.
  bool is_two_dimensional() const {
    if (stage.rank != 0) return stage.rank == 2;
    return rank >= 2 && !axis;
  }

  StageMask smooth(const std::function<std::vector<double>(std::size_t, std::size_t)>& taps) const {
    if (!is_two_dimensional()) return one_dimensional(taps(0, 1));
    return outer(taps(0, 2), taps(1, 2));
  }

  StageMask gaussian() const {
    return smooth([&](std::size_t i, std::size_t count) {
      return gaussian_taps(value_along(stage, "sigma", stage.sigma, i, count),
                           value_along(stage, "order", stage.order, i, count), stage.truncate);
    });
  }
  StageMask box() const {
    return smooth([&](std::size_t i, std::size_t count) {
      return box_taps(value_along(stage, "size", stage.size, i, count));
    });
  }
  StageMask laplace() const {
    if (!is_two_dimensional()) return one_dimensional(laplace_taps());
    return two_dimensional({.height = 3, .width = 3, .values = {0, 1, 0, 1, -4, 1, 0, 1, 0}});
  }
  /// Derivative along an axis (default the last), smoothed along the other axis of the grid.
  StageMask edge(const std::vector<double>& smoothing) const {
    const int along = one_axis();
    // without rank = 1 a derivative that is not smoothed would not be what it is called
    if (stage.rank == 1 || (stage.rank == 0 && rank == 1))
      return one_dimensional(derivative_taps());
    if (rank < 2) (void)last_two();
    if (along < rank - 2)
      refuse(stage,
             fmt::format("axis = {}: a two-dimensional {} differentiates along one of the last "
                         "two axes: write -1 or -2, or rank = 1",
                         along, stage.mask.text));
    return along == rank - 1 ? outer(smoothing, derivative_taps())
                             : outer(derivative_taps(), smoothing);
  }
  StageMask filter(PassBand band) const {
    const double rate = sampling_rate[one_axis()];
    if (!(rate > 0))
      refuse(
          stage,
          fmt::format(
              "mask = {} needs the sampling rate along axis {}, and the file's metadata "
              "do not tell it (Xspacing, OutputDataRate, sampling_rate, a time scale ...): write "
              "input.sampling_rate = samples per second",
              stage.mask.text, one_axis()));
    return one_dimensional(firwin_taps(band, stage.taps, stage.cutoff, stage.window, rate));
  }
  StageMask savgol() const {
    const Index size = value_along(stage, "size", stage.size, 0, 1);
    return one_dimensional(savgol_taps(size, stage.polyorder, stage.deriv, stage.delta));
  }

  StageMask from_taps(Taps taps, bool two) const {
    return two ? two_dimensional(std::move(taps)) : one_dimensional(std::move(taps.values));
  }
  StageMask from_family(MaskFamily family) const {
    switch (family) {
      case MaskFamily::gaussian:
        return gaussian();
      case MaskFamily::box:
        return box();
      case MaskFamily::laplace:
        return laplace();
      case MaskFamily::sobel:
        return edge(sobel_smoothing_taps());
      case MaskFamily::prewitt:
        return edge(prewitt_smoothing_taps());
      case MaskFamily::lowpass:
        return filter(PassBand::lowpass);
      case MaskFamily::highpass:
        return filter(PassBand::highpass);
      case MaskFamily::bandpass:
        return filter(PassBand::bandpass);
      case MaskFamily::savgol:
        return savgol();
    }
    throw std::logic_error("nothing makes the taps of this family");
  }
  StageMask make(const MaskFiles& files) const {
    const MaskWords& words = stage.mask;
    if (words.family != nullptr) return from_family(words.family->kind);
    if (!words.location)
      return from_taps({words.height, words.width, words.values}, words.rank == 2);
    const SmallArray& array = files.at(words.text);
    const bool two = array.dims.size() >= 2;
    if (two && stage.axis)
      refuse(stage, fmt::format("axis means nothing for mask = {}, which runs over the last two "
                                "axes: remove it",
                                shortened(stage.mask.text)));
    if (array.dims.size() == 4) return of_channels(array);
    if (stage.groups != 1)
      refuse(stage, fmt::format("groups = {} means nothing for mask = {}, which has {} and not 4 "
                                "axes: remove it",
                                stage.groups, shortened(stage.mask.text), array.dims.size()));
    return from_taps(taps_of_file(stage, array), two);
  }
};

}  // namespace

void require_values(const StageConfig& stage, const char* key, std::size_t values,
                    std::size_t mask_axes) {
  if (values != 1 && values != mask_axes)
    refuse(stage,
           fmt::format("{} has {} values, but the mask runs along {} {}: write one value, or "
                       "one per axis in the order y x",
                       key, values, mask_axes, mask_axes == 1 ? "axis" : "axes"));
}

StageMask make_stage_mask(const StageConfig& stage, int rank, std::optional<int> input_axis,
                          const std::vector<double>& sampling_rate, const MaskFiles& files) {
  std::optional<int> axis;
  if (input_axis) axis = checked_axis("input.axis", *input_axis, rank);
  if (stage.axis) axis = checked_axis(fmt::format("[{}] axis", stage.name), *stage.axis, rank);
  const Maker maker{stage, rank, axis, sampling_rate};
  try {
    StageMask result = maker.make(files);
    if (stage.operation == Operation::convolve) {
      result.mask = flipped(result.mask);
      if (result.channels) result.channels = flipped(*result.channels);
    }
    return result;
  } catch (const ShapeError& error) {  // from the mask's own arithmetic: say which stage it was
    refuse(stage, fmt::format("mask = {}: {}", shortened(stage.mask.text), error.what()));
  }
}

}  // namespace stencil
