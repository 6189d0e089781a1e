#include "drivers/stage_mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "framework/grid/error.hpp"
#include "kernels/families.hpp"

namespace stencil {
namespace {

[[noreturn]] void refuse(const StageConfig& stage, const std::string& why) {
  throw WordsError(fmt::format("[{}] {}", stage.name, why));
}

int dataset_axis(const StageConfig& stage, int axis, int rank) {
  const int positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= rank)
    refuse(stage, fmt::format("axis = {} is not an axis of a dataset with {} axes: write {} to {}",
                              axis, rank, -rank, rank - 1));
  return positive;
}

bool looks_like_taps(const std::string& mask) {
  return !mask.empty() && std::string("0123456789+-.").find(mask[0]) != std::string::npos;
}

/// `1 2 1` or `0 1 0; 1 -4 1; 0 1 0`; an empty last row is allowed.
Taps parse_taps(const StageConfig& stage) {
  Taps taps{.height = 0, .width = 0, .values = {}};
  std::string text = stage.mask;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    Index in_row = 0;
    for (std::size_t i = at; i < end;) {
      if (text[i] == ' ' || text[i] == '\t') {
        ++i;
        continue;
      }
      const std::size_t stop = std::min(text.find_first_of(" \t;", i), end);
      const char* first = text.data() + i + (text[i] == '+' ? 1 : 0);
      double value = 0;
      const auto [last, error] = std::from_chars(first, text.data() + stop, value);
      if (error != std::errc{} || last != text.data() + stop || !std::isfinite(value))
        refuse(stage, fmt::format("mask: '{}' is not a finite number", text.substr(i, stop - i)));
      taps.values.push_back(value);
      ++in_row;
      i = stop;
    }
    if (in_row == 0 && end == text.size()) break;
    if (in_row == 0) refuse(stage, "mask has an empty row between two ';'");
    if (taps.height > 0 && in_row != taps.width)
      refuse(stage,
             fmt::format("mask: row {} has {} taps, the rows before it have {}: all rows of a "
                         "2D mask are of one length",
                         taps.height + 1, in_row, taps.width));
    taps.width = in_row;
    ++taps.height;
    at = end + 1;
  }
  return taps;
}

Taps taps_of_file(const StageConfig& stage, const SmallArray& array) {
  if (array.dims.size() > 2)
    refuse(stage, fmt::format("mask = {} has {} axes: masks of 1 or 2 axes are there, [out, in, "
                              "height, width] is not yet",
                              stage.mask, array.dims.size()));
  for (double tap : array.values)
    if (!std::isfinite(tap)) refuse(stage, fmt::format("mask = {} holds NaN or Inf", stage.mask));
  const bool two = array.dims.size() == 2;
  return {.height = two ? array.dims[0] : 1, .width = array.dims.back(), .values = array.values};
}

/// Everything that decides a mask, gathered so that the functions below stay short.
struct Maker {
  const StageConfig& stage;
  int rank;
  std::optional<int> axis;  ///< given by the user, for this stage or for the input
  const std::vector<double>& sampling_rate;

  int one_axis() const { return dataset_axis(stage, axis.value_or(-1), rank); }
  std::vector<int> last_two() const {
    if (rank < 2)
      refuse(stage,
             fmt::format("mask = {} is two-dimensional, but the dataset has one axis: write a "
                         "1D mask (for a family: rank = 1)",
                         stage.mask));
    return {rank - 2, rank - 1};
  }

  StageMask one_dimensional(std::vector<double> taps) const {
    const Index origin = value_along(stage, "origin", stage.origin, 0, 1);
    return {make_mask_1d(std::move(taps), origin, false), {one_axis()}};
  }
  std::array<Index, 2> origins() const {
    return {value_along(stage, "origin", stage.origin, 0, 2),
            value_along(stage, "origin", stage.origin, 1, 2)};
  }
  StageMask two_dimensional(Taps taps) const {
    return {make_mask_2d(std::move(taps), origins()), last_two()};
  }
  StageMask outer(std::vector<double> column, std::vector<double> row) const {
    return {make_mask_outer({std::move(column), std::move(row)}, origins()), last_two()};
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
    const bool two = stage.rank == 2 || (stage.rank == 0 && rank >= 2 && along >= rank - 2);
    if (!two) return one_dimensional(derivative_taps());
    if (rank < 2) (void)last_two();
    if (along < rank - 2)
      refuse(stage,
             fmt::format("axis = {}: a two-dimensional {} differentiates along one of the last "
                         "two axes: write -1 or -2, or rank = 1",
                         along, stage.mask));
    return along == rank - 1 ? outer(smoothing, derivative_taps())
                             : outer(derivative_taps(), smoothing);
  }
  void only_one_dimensional() const {
    if (stage.rank == 2)
      refuse(stage,
             fmt::format("rank = 2: mask = {} runs along one axis: leave rank out, and name the "
                         "axis with axis",
                         stage.mask));
  }
  StageMask filter(PassBand band) const {
    only_one_dimensional();
    const double rate = sampling_rate[one_axis()];
    if (!(rate > 0))
      refuse(stage,
             fmt::format("mask = {} needs the sampling rate along axis {}, and the file's metadata "
                         "do not tell it: write input.sampling_rate = samples per second",
                         stage.mask, one_axis()));
    return one_dimensional(firwin_taps(band, stage.taps, stage.cutoff, stage.window, rate));
  }
  StageMask savgol() const {
    only_one_dimensional();
    const Index size = value_along(stage, "size", stage.size, 0, 1);
    return one_dimensional(savgol_taps(size, stage.polyorder, stage.deriv, stage.delta));
  }

  StageMask make(const MaskFiles& files) const {
    const std::string& word = stage.mask;
    if (mask_location(word) || looks_like_taps(word)) {
      const bool in_file = bool(mask_location(word));
      Taps taps = in_file ? taps_of_file(stage, files.at(word)) : parse_taps(stage);
      const bool two = in_file ? files.at(word).dims.size() == 2 : word.find(';') != word.npos;
      return two ? two_dimensional(std::move(taps)) : one_dimensional(std::move(taps.values));
    }
    if (word == "gaussian") return gaussian();
    if (word == "box") return box();
    if (word == "laplace") return laplace();
    if (word == "sobel") return edge(sobel_smoothing_taps());
    if (word == "prewitt") return edge(prewitt_smoothing_taps());
    if (word == "lowpass") return filter(PassBand::lowpass);
    if (word == "highpass") return filter(PassBand::highpass);
    if (word == "bandpass") return filter(PassBand::bandpass);
    if (word == "savgol") return savgol();
    refuse(stage,
           fmt::format("mask = {}: write taps (1 2 1), rows (0 1 0; 1 -4 1; 0 1 0), "
                       "file.h5:/dataset, or a family: gaussian box laplace sobel prewitt lowpass "
                       "highpass bandpass savgol",
                       word));
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

MaskLocation mask_location(const std::string& mask) {
  const std::size_t colon = mask.find(":/");
  if (colon == mask.npos || colon == 0) return {};
  return {mask.substr(0, colon), mask.substr(colon + 1)};
}

StageMask make_stage_mask(const StageConfig& stage, int rank, std::optional<int> input_axis,
                          const std::vector<double>& sampling_rate, const MaskFiles& files) {
  const Maker maker{stage, rank, stage.axis ? stage.axis : input_axis, sampling_rate};
  try {
    StageMask result = maker.make(files);
    if (stage.operation == "convolve") result.mask = flipped(result.mask);
    return result;
  } catch (const ShapeError& error) {  // from the mask's own arithmetic: say which stage it was
    refuse(stage, fmt::format("mask = {}: {}", stage.mask, error.what()));
  }
}

}  // namespace stencil
