#include "drivers/plan/make/stage_mask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>

#include "drivers/config/keys.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/stage_axes.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

/// Returns the index of an axis as a nonnegative number.
/// @param key  name for messages, `input.axis` or `[stencil.NAME] axis`
int checked_axis(const std::string& key, int axis, int rank) {
  if (axis < -rank || axis >= rank)
    throw WordsError(fmt::format("{} = {}: the dataset has {} {}, write {} to {}", key, axis, rank,
                                 rank == 1 ? "axis" : "axes", -rank, rank - 1));
  return axis < 0 ? axis + rank : axis;
}

void require_finite(const StageConfig& stage, const SmallArray& array) {
  for (const auto* taps : {&array.values, &array.imaginary})
    for (double tap : *taps)
      if (!std::isfinite(tap))
        refuse(stage, fmt::format("mask = {} holds NaN or Inf: mend the mask",
                                  shortened(stage.mask.text)));
}

const char* axes_words(std::size_t count) {
  return count == 1 ? "one axis" : count == 2 ? "two axes" : "three axes";
}

Taps taps_of_file(const StageConfig& stage, const SmallArray& array) {
  require_finite(stage, array);
  const std::size_t axes = array.dims.size();
  return {.height = axes > 1 ? array.dims[axes - 2] : 1,
          .width = array.dims.back(),
          .values = array.values,
          .depth = axes == 3 ? array.dims[0] : 1};
}

/// All data that determine a mask, so that the functions below stay short.
struct Maker {
  const StageConfig& stage;
  int rank;
  std::optional<int> axis;  ///< axis of this stage or of input.axis, nonnegative
  int automatic_axis;       ///< axis of a 1D mask if none is given
  std::vector<int> given;   ///< `axes` of this stage, see resolve_axes(); empty for the default
  const std::vector<double>& sampling_rate;
  const std::string& remark;  ///< reason why the file's times give no rate; empty if unknown

  int one_axis() const { return given.size() == 1 ? given.front() : axis.value_or(automatic_axis); }
  /// Returns the axes in `axes`, or by default the last two axes.
  std::vector<int> two_axes() const {
    if (given.size() == 2) return given;
    if (rank < 2)
      refuse(stage, fmt::format("mask = {} is two-dimensional, but the dataset has one axis: {}",
                                shortened(stage.mask.text), one_axis_instead()));
    return {rank - 2, rank - 1};
  }
  /// Returns the axes in `axes`, or by default the last three axes.
  std::vector<int> three_axes() const {
    if (given.size() == 3) return given;
    const std::string mask = shortened(stage.mask.text);
    const std::string bank =
        stage.mask.location ? fmt::format(", or {}[:] for a bank of filters", mask) : "";
    if (rank < 3)
      refuse(stage, fmt::format("mask = {} has three axes, but the dataset has {}: write a mask of "
                                "fewer axes{}",
                                mask, rank, bank));
    return {rank - 3, rank - 2, rank - 1};
  }
  /// Returns advice on how to get a one-dimensional mask.
  const char* one_axis_instead() const {
    if (stage.mask.family != nullptr) return "write rank = 1";
    return stage.mask.location ? "store it with one axis, or name another mask"
                               : "write its taps in one row, without ;";
  }

  StageMask one_dimensional(std::vector<double> taps) const {
    const Index origin = value_along(stage, "origin", stage.origin, 0, 1);
    return {Mask::line(std::move(taps), x_axis, origin), {one_axis()}, {}};
  }
  std::array<Index, 2> origins() const {
    return {value_along(stage, "origin", stage.origin, 0, 2),
            value_along(stage, "origin", stage.origin, 1, 2)};
  }
  StageMask two_dimensional(Taps taps) const {
    return {Mask::grid(std::move(taps), origins()), two_axes(), {}};
  }
  StageMask two_dimensional(Factors factors) const {
    return {
        Mask::outer(std::move(factors.column), std::move(factors.row), origins()), two_axes(), {}};
  }
  std::array<Index, 3> three_origins() const {
    std::array<Index, 3> origin{};
    for (std::size_t i = 0; i < 3; ++i)
      origin[i] = value_along(stage, "origin", stage.origin, i, 3);
    return origin;
  }
  /// Returns each row of `[filters, width]` or `[filters, height, width]` as a separate mask.
  StageMask of_bank(const SmallArray& array) const {
    const bool two = array.dims.size() == 3;
    const auto taps = static_cast<std::ptrdiff_t>(array.values.size() / array.rows.size());
    StageMask result;
    for (auto first = array.values.begin(); first != array.values.end(); first += taps) {
      SmallArray one{{array.dims.begin() + 1, array.dims.end()}, {first, first + taps}};
      StageMask made = from_taps(taps_of_file(stage, one), two ? 2 : 1);
      if (result.bank.empty()) result = made;
      result.bank.push_back(std::move(made.mask));
    }
    result.rows = array.rows;
    return result;
  }
  StageMask of_complex(const SmallArray& array) const {
    const std::string mask =
        fmt::format("mask = {} holds complex taps", shortened(stage.mask.text));
    if (array.dims.size() > 2 || !array.rows.empty())
      refuse(stage, fmt::format("{} in {}, and complex masks have one or two axes: name a single "
                                "mask, for example {}[0]",
                                mask, array.rows.empty() ? "three or more axes" : "a bank",
                                shortened(stage.mask.text.substr(0, stage.mask.text.find('[')))));
    if (stage.groups != 1) refuse(stage, mask + ", for which groups means nothing: remove it");
    if (stage.method != MethodRequest::automatic && stage.method != MethodRequest::direct)
      refuse(stage, mask + ", which are summed directly: write method = direct or auto");
    SmallArray imaginary{array.dims, array.imaginary};
    StageMask result = from_taps(taps_of_file(stage, array), array.dims.size());
    result.imaginary = from_taps(taps_of_file(stage, imaginary), array.dims.size()).mask;
    return result;
  }
  StageMask of_channels(const SmallArray& array) const {
    if (rank < 3)
      refuse(stage, fmt::format("mask = {} of 4 axes needs a dataset of three or more, channels "
                                "before the last two, but it has {}",
                                shortened(stage.mask.text), rank));
    ChannelMask channels = make_channel_mask(array.dims, array.values, stage.groups, origins());
    StageMask result{first_plane(channels), two_axes(), {}};
    result.channels = std::move(channels);
    return result;
  }

  /// For families that exist in one and in two dimensions, `rank` decides; without `rank` the mask
  /// is 1D if the user gave an axis, and otherwise 2D. For families with a direction, the axis is
  /// that of the derivative, and only rank = 1 gives a derivative without smoothing across this
  /// axis.
  bool is_two_dimensional(const Family& family) const {
    if (family.one_dimensional) return false;
    if (!given.empty()) return given.size() == 2;
    if (stage.rank != 0) return stage.rank == 2;
    return rank >= 2 && (family.across != nullptr || !axis);
  }
  /// Returns the direction of a 2D derivative: 0 for y, 1 for x.
  std::size_t direction() const {
    if (!given.empty()) return direction_in_axes();
    const int along = axis.value_or(rank - 1);
    if (rank < 2) (void)two_axes();
    if (along < rank - 2)
      refuse(stage,
             fmt::format("axis = {}: a two-dimensional {} differentiates along one of the last "
                         "two axes: write -1 or -2, or rank = 1",
                         along, stage.mask.text));
    return along == rank - 1 ? 1 : 0;
  }
  /// Like direction(), as an index in `axes`; the default is the last axis.
  std::size_t direction_in_axes() const {
    if (!axis) return given.size() - 1;
    const auto found = std::find(given.begin(), given.end(), *axis);
    if (found != given.end()) return static_cast<std::size_t>(found - given.begin());
    if (!stage.axis) return given.size() - 1;  // input.axis applies to other masks
    refuse(stage, fmt::format(
                      "axis = {}: the mask runs along the axes {}, and differentiates along one of "
                      "them: write {}",
                      *stage.axis, fmt::join(given, " and "), fmt::join(given, " or ")));
  }
  double known_rate() const {
    const double rate = sampling_rate[one_axis()];
    if (rate > 0) return rate;
    const std::string needs = fmt::format("mask = {} needs the sampling rate along axis {}, and",
                                          stage.mask.text, one_axis());
    const auto other = std::find_if(sampling_rate.begin(), sampling_rate.end(),
                                    [](double known) { return known > 0; });
    if (other != sampling_rate.end())
      refuse(stage, fmt::format("{0} the file gives {1} samples per second for axis {2}: write "
                                "{3} = {2} to filter along that axis, or input.sampling_rate for "
                                "the samples per second along axis {4}",
                                needs, *other, other - sampling_rate.begin(),
                                !given.empty() ? "axes"
                                : stage.axis   ? "axis"
                                               : "input.axis",
                                one_axis()));
    refuse(stage, fmt::format("{} {}: write input.sampling_rate = samples per second", needs,
                              remark.empty() ? "the file does not give it (Xspacing, "
                                               "OutputDataRate, sampling_rate, a time scale ...)"
                                             : remark));
  }
  /// Checks that lists have one value, or one value per axis of the mask.
  void check_lists(const Family& family, std::size_t axes) const {
    for (const std::string& key : split_words(family.keys)) {
      const Parameter& parameter = *find_parameter(key);
      if (!parameter.per_axis) continue;
      std::visit(
          [&](auto field) {
            if constexpr (requires { (stage.parameters.*field).size(); })
              if (const std::size_t values = (stage.parameters.*field).size(); values > 0)
                require_values(stage, key.c_str(), values, axes);
          },
          parameter.field);
    }
  }

  /// Returns the values of a one-dimensional dataset that a key names; empty if `text` is empty.
  static std::vector<double> line_of(const StageConfig& of, const MaskFiles& files, const char* key,
                                     const std::string& text) {
    if (text.empty()) return {};
    const SmallArray& array = files.at(text);
    if (!array.imaginary.empty())
      refuse(of, fmt::format("{} = {} holds complex numbers: write a dataset of real numbers", key,
                             shortened(text)));
    if (array.dims.size() != 1)
      refuse(of, fmt::format("{} = {} has {} axes, write a dataset of one axis", key,
                             shortened(text), array.dims.size()));
    return array.values;
  }

  StageMask from_family(const Family& family, const MaskFiles& files) const {
    FamilyParameters parameters = stage.parameters;
    parameters.shape_values = line_of(stage, files, "template", parameters.shape);
    parameters.psd_values = line_of(stage, files, "psd", parameters.psd);
    if (family.needs_rate) parameters.sampling_rate = known_rate();
    const std::size_t axes = given.size() == 3 ? 3 : is_two_dimensional(family) ? 2 : 1;
    check_lists(family, axes);
    if (axes == 1) {
      StageMask line = one_dimensional(family.along(parameters, 0));
      line.orders = orders_over(family, 1, 0);
      return line;
    }
    const std::size_t along = family.across != nullptr ? direction() : 0;
    StageMask mask =
        axes == 3
            ? StageMask{mask_over_three_axes(family, parameters, along, three_origins()), given, {}}
            : std::visit([&](auto taps) { return two_dimensional(std::move(taps)); },
                         taps_over_two_axes(family, parameters, along));
    mask.orders = orders_over(family, axes, along);
    return mask;
  }
  /// Returns the order of the derivative along each axis of a mask.
  /// @param along  the axis of the derivative of families with a direction
  std::vector<Index> orders_over(const Family& family, std::size_t axes, std::size_t along) const {
    std::vector<Index> orders(axes, 0);
    for (std::size_t k = 0; k < axes && family.order != nullptr; ++k)
      if (family.across == nullptr || k == along) orders[k] = family.order(stage.parameters, k);
    return orders;
  }
  /// @param axes  number of axes of the mask
  StageMask from_taps(Taps taps, std::size_t axes) const {
    if (axes == 3) return {Mask::volume(std::move(taps), three_origins()), three_axes(), {}};
    return axes == 2 ? two_dimensional(std::move(taps)) : one_dimensional(std::move(taps.values));
  }
  /// Checks that `axes` fits a mask from a file.
  /// @param axes  number of axes of the mask
  void check_axes(bool mixes_channels, std::size_t axes) const {
    if (given.empty()) return;
    if (mixes_channels)
      refuse(stage, fmt::format("axes means nothing for mask = {} of 4 axes, which runs over the "
                                "last two axes and mixes the channels before them: remove it",
                                shortened(stage.mask.text)));
    if (given.size() != axes)
      refuse(stage, fmt::format("axes names {} of the dataset, but mask = {} runs along {}: write "
                                "{}",
                                axes_words(given.size()), shortened(stage.mask.text),
                                axes_words(axes), axes_words(axes)));
  }
  StageMask make(const MaskFiles& files) const {
    const MaskWords& words = stage.mask;
    if (words.family != nullptr) return from_family(*words.family, files);
    if (!words.location)
      return from_taps({words.height, words.width, words.values, words.depth},
                       static_cast<std::size_t>(words.rank));
    const SmallArray& array = files.at(words.text);
    const bool mixes_channels = array.dims.size() == 4;
    const std::size_t axes = mixes_channels ? 2 : array.dims.size() - (array.rows.empty() ? 0 : 1);
    check_axes(mixes_channels, axes);
    if (axes > 1 && stage.axis)
      refuse(stage, fmt::format("axis means nothing for mask = {}, which runs over the last {}: "
                                "remove it",
                                shortened(stage.mask.text), axes_words(axes)));
    if (!array.imaginary.empty()) return of_complex(array);
    if (array.dims.size() == 4) return of_channels(array);
    if (stage.groups != 1)
      refuse(stage, fmt::format("groups = {} means nothing for mask = {}, which has {} and not 4 "
                                "axes: remove it",
                                stage.groups, shortened(stage.mask.text), array.dims.size()));
    return array.rows.empty() ? from_taps(taps_of_file(stage, array), axes) : of_bank(array);
  }
};

}  // namespace

Index StageMask::taps_along(std::size_t k) const {
  const Point extents{mask.taps.depth, mask.taps.height, mask.taps.width};
  return extents[k + extents.size() - dataset_axes.size()];
}

Index StageMask::centre_along(std::size_t k) const {
  const Point centres{mask.centre_plane, mask.centre[0], mask.centre[1]};
  return centres[k + centres.size() - dataset_axes.size()];
}

void require_values(const StageConfig& stage, const char* key, std::size_t values,
                    std::size_t mask_axes) {
  if (values != 1 && values != mask_axes)
    refuse(stage,
           fmt::format("{} has {} values, but the mask runs along {} {}: write one value, or "
                       "one per axis in the order {}",
                       key, values, mask_axes, mask_axes == 1 ? "axis" : "axes",
                       mask_axes == 3 ? "of its axes" : "y x"));
}

StageMask make_stage_mask(const StageConfig& stage, int rank, std::optional<int> input_axis,
                          int automatic_axis, const std::vector<double>& sampling_rate,
                          const MaskFiles& files, const std::string& remark) {
  std::optional<int> axis;
  if (input_axis) axis = checked_axis("input.axis", *input_axis, rank);
  if (stage.axis) axis = checked_axis(fmt::format("[{}] axis", stage.name), *stage.axis, rank);
  const Maker maker{stage, rank, axis, automatic_axis, given_axes(stage), sampling_rate, remark};
  try {
    StageMask result = maker.make(files);
    if (stage.operation == Operation::convolve) {
      result.mask = flipped(result.mask);
      if (result.channels) result.channels = flipped(*result.channels);
      for (Mask& mask : result.bank) mask = flipped(mask);
      if (result.imaginary) result.imaginary = flipped(*result.imaginary);
    } else if (result.imaginary) {
      for (double& tap : result.imaginary->taps.values) tap = -tap;
    }
    return result;
  } catch (const ShapeError& error) {  // adds the stage's name to the message
    refuse(stage, fmt::format("mask = {}: {}", shortened(stage.mask.text), error.what()));
  }
}

}  // namespace stencil
