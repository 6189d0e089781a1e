#include "drivers/plan/make/stage_mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>

#include "drivers/config/keys.hpp"
#include "drivers/plan/make/axes_of_mask.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/stage_axes.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

void require_finite(const StageConfig& stage, const SmallArray& array) {
  for (const auto* taps : {&array.values, &array.imaginary})
    for (double tap : *taps)
      if (!std::isfinite(tap))
        refuse(stage, fmt::format("mask = {} holds NaN or Inf: mend the mask",
                                  shortened(stage.mask.text)));
}

Taps taps_of_file(const StageConfig& stage, const SmallArray& array) {
  require_finite(stage, array);
  const std::size_t axes = array.dims.size();
  return {.height = axes > 1 ? array.dims[axes - 2] : 1,
          .width = array.dims.back(),
          .values = array.values,
          .depth = axes == 3 ? array.dims[0] : 1};
}

/// All data that determine a mask, as members, so that the functions need few parameters.
struct Maker {
  const StageConfig& stage;
  const AxesOfMask axes;
  const std::vector<double>& sampling_rate;
  const std::string& remark;  ///< reason why the file's times give no rate; empty if unknown

  StageMask one_dimensional(std::vector<double> taps) const {
    return {Mask::line(std::move(taps), x_axis, axes.origins<1>()[0]), {axes.one()}, {}};
  }
  StageMask two_dimensional(Taps taps) const {
    return {Mask::grid(std::move(taps), axes.origins<2>()), axes.two(), {}};
  }
  StageMask two_dimensional(Factors factors) const {
    return {Mask::outer(std::move(factors.column), std::move(factors.row), axes.origins<2>()),
            axes.two(),
            {}};
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
                                "mask, for example {}[0], or filter with the real and with the "
                                "imaginary parts in two runs",
                                mask, array.rows.empty() ? "three or more axes" : "a bank",
                                shortened(stage.mask.text.substr(0, stage.mask.text.find('[')))));
    if (stage.groups != 1) refuse(stage, mask + ", for which groups means nothing: remove it");
    if (stage.method == MethodRequest::separable)
      refuse(stage,
             mask + ", which are not split into factors: write method = auto, direct or fft");
    SmallArray imaginary{array.dims, array.imaginary};
    StageMask result = from_taps(taps_of_file(stage, array), array.dims.size());
    result.imaginary = from_taps(taps_of_file(stage, imaginary), array.dims.size()).mask;
    return result;
  }
  StageMask of_channels(const SmallArray& array) const {
    if (axes.rank < 3)
      refuse(stage, fmt::format("mask = {} of 4 axes needs a dataset of three or more, channels "
                                "before the last two, but it has {}",
                                shortened(stage.mask.text), axes.rank));
    ChannelMask channels =
        make_channel_mask(array.dims, array.values, stage.groups, axes.origins<2>());
    StageMask result{first_plane(channels), axes.two(), {}};
    result.channels = std::move(channels);
    return result;
  }

  double known_rate() const {
    const double rate = sampling_rate[axes.one()];
    if (rate > 0) return rate;
    const std::string needs = fmt::format("mask = {} needs the sampling rate along axis {}, and",
                                          stage.mask.text, axes.one());
    const auto other = std::find_if(sampling_rate.begin(), sampling_rate.end(),
                                    [](double known) { return known > 0; });
    if (other != sampling_rate.end())
      refuse(stage, fmt::format("{0} the file gives {1} samples per second for axis {2}: write "
                                "{3} = {2} to filter along that axis, or input.sampling_rate for "
                                "the samples per second along axis {4}",
                                needs, *other, other - sampling_rate.begin(),
                                !axes.given.empty() ? "axes"
                                : stage.axis        ? "axis"
                                                    : "input.axis",
                                axes.one()));
    refuse(stage, fmt::format("{} {}: write input.sampling_rate = samples per second", needs,
                              remark.empty() ? "the file does not give it (Xspacing, "
                                               "OutputDataRate, sampling_rate, a time scale ...)"
                                             : remark));
  }
  /// Checks that lists have one value, or one value per axis of the mask.
  void check_lists(const Family& family, std::size_t count) const {
    for (const std::string& key : split_words(family.keys)) {
      const Parameter& parameter = *find_parameter(key);
      if (!parameter.per_axis) continue;
      std::visit(
          [&](auto field) {
            if constexpr (requires { (stage.parameters.*field).size(); })
              if (const std::size_t values = (stage.parameters.*field).size(); values > 0)
                require_values(stage, key.c_str(), values, count);
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
    const std::size_t count = axes.given.size() == 3 ? 3 : axes.are_two(family) ? 2 : 1;
    check_lists(family, count);
    if (count == 1) {
      StageMask line = one_dimensional(family.along(parameters, 0));
      line.orders = orders_over(family, 1, 0);
      return line;
    }
    const std::size_t along = family.across != nullptr ? axes.direction() : 0;
    StageMask mask =
        count == 3 ? StageMask{mask_over_three_axes(family, parameters, along, axes.origins<3>()),
                               axes.given,
                               {}}
                   : std::visit([&](auto taps) { return two_dimensional(std::move(taps)); },
                                taps_over_two_axes(family, parameters, along));
    mask.orders = orders_over(family, count, along);
    return mask;
  }
  /// Returns the order of the derivative along each axis of a mask.
  /// @param along  the axis of the derivative of families with a direction
  std::vector<Index> orders_over(const Family& family, std::size_t count, std::size_t along) const {
    std::vector<Index> orders(count, 0);
    for (std::size_t k = 0; k < count && family.order != nullptr; ++k)
      if (family.across == nullptr || k == along) orders[k] = family.order(stage.parameters, k);
    return orders;
  }
  /// @param count  number of axes of the mask
  StageMask from_taps(Taps taps, std::size_t count) const {
    if (count == 3) return {Mask::volume(std::move(taps), axes.origins<3>()), axes.three(), {}};
    return count == 2 ? two_dimensional(std::move(taps)) : one_dimensional(std::move(taps.values));
  }
  StageMask make(const MaskFiles& files) const {
    const MaskWords& words = stage.mask;
    if (words.family != nullptr) return from_family(*words.family, files);
    if (!words.location)
      return from_taps({words.height, words.width, words.values, words.depth},
                       static_cast<std::size_t>(words.rank));
    const SmallArray& array = files.at(words.text);
    const bool mixes_channels = array.dims.size() == 4;
    const std::size_t count = mixes_channels ? 2 : array.dims.size() - (array.rows.empty() ? 0 : 1);
    axes.check(mixes_channels, count);
    if (!array.imaginary.empty()) return of_complex(array);
    if (array.dims.size() == 4) return of_channels(array);
    if (stage.groups != 1)
      refuse(stage, fmt::format("groups = {} means nothing for mask = {}, which has {} and not 4 "
                                "axes: remove it",
                                stage.groups, shortened(stage.mask.text), array.dims.size()));
    return array.rows.empty() ? from_taps(taps_of_file(stage, array), count) : of_bank(array);
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

StageMask make_stage_mask(const StageConfig& stage, int rank, std::optional<int> input_axis,
                          int automatic_axis, const std::vector<double>& sampling_rate,
                          const MaskFiles& files, const std::string& remark) {
  std::optional<int> axis;
  if (input_axis) axis = checked_axis("input.axis", *input_axis, rank);
  if (stage.axis) axis = checked_axis(fmt::format("[{}] axis", stage.name), *stage.axis, rank);
  const Maker maker{
      stage, {stage, rank, axis, automatic_axis, given_axes(stage)}, sampling_rate, remark};
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
