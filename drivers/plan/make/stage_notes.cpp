#include "drivers/plan/make/stage_notes.hpp"
#include "drivers/plan/make/values_per_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

using Notes = std::vector<std::string>;

std::string name_of(const StageConfig& stage) {
  return fmt::format("[{}]", stage.name);
}

void note_single_points(const StageConfig& stage, const StageMask& mask,
                        const std::vector<Index>& dims, Notes& notes) {
  const auto& along = mask.dataset_axes;
  const auto longest = std::max_element(dims.begin(), dims.end());
  if (*longest == 1 || along.size() != 1 || dims[static_cast<std::size_t>(along[0])] > 1 ||
      mask.mask.taps.values.size() == 1)
    return;
  notes.push_back(fmt::format(
      "{} runs along axis {}, which has a single point, so that it only multiplies each point by a "
      "number: write input.axis = {} for the axis of {} points",
      name_of(stage), along[0], longest - dims.begin(), *longest));
}

/// Returns whether the taps are symmetric or antisymmetric. Other masks, such as upwind
/// differences, have no centre.
bool is_balanced(const std::vector<double>& taps) {
  const auto is_turned = [&](double sign) {
    for (std::size_t i = 0; i < taps.size(); ++i)
      if (std::abs(taps[i] - sign * taps[taps.size() - 1 - i]) > 1e-6 * std::abs(taps[i]))
        return false;
    return true;
  };
  return is_turned(1) || is_turned(-1);
}

/// Adds a note for a mask of even width, whose outputs are half a point away from its centre. There
/// is no such note for matched filters, because another note describes the position of their
/// outputs.
void note_half_points(const StageConfig& stage, const StageMask& mask, Notes& notes) {
  const Taps& taps = mask.mask.taps;
  if (mask.channels || mask.imaginary ||
      (stage.mask.family && stage.mask.family == find_family("matched")) ||
      !is_balanced(taps.values))
    return;
  for (std::size_t i = 0; i < mask.dataset_axes.size(); ++i) {
    const Index count = mask.taps_along(i);
    if (count % 2 == 1) continue;
    const double beyond = double(count - 1) / 2 - double(mask.centre_along(i));
    notes.push_back(fmt::format(
        "{} has {} taps along axis {}, an even number, whose centre lies between two points: each "
        "output belongs {} {} the coordinate that it has in the output: take an odd number of "
        "taps, or move the "
        "coordinates",
        name_of(stage), count, mask.dataset_axes[i],
        std::abs(beyond) == 0.5 ? "half a point" : fmt::format("{} points", std::abs(beyond)),
        beyond < 0 ? "before" : "after"));
  }
}

void note_boundary_value(const StageConfig& stage, const Problem& problem, Notes& notes) {
  const bool is_used = std::find(stage.boundary.begin(), stage.boundary.end(),
                                 BoundaryRule::constant) != stage.boundary.end();
  const double beyond = stage.boundary_value;
  if (!is_used || !problem.missing || std::isnan(beyond)) return;
  const DatasetFacts& input = problem.input;
  const auto is_beyond = [&](const ElementValue& value) {
    return input.is_unpacked() ? value.to_double() * input.scale_factor + input.add_offset == beyond
                               : value == ElementValue(beyond);
  };
  const auto& values = problem.missing->values;
  if (std::none_of(values.begin(), values.end(), is_beyond)) return;
  notes.push_back(
      fmt::format("{}: boundary_value = {} is a missing value of the input, but is treated as a "
                  "number beyond the edges: write another boundary, such as nearest",
                  name_of(stage), beyond));
}

/// Returns the highest frequency that a named filter passes; 0 if the filter passes all
/// frequencies, and for other masks.
double highest_passed(const StageConfig& stage) {
  if (!stage.mask.family) return 0;
  const std::string_view name = stage.mask.family->name;
  const auto& cutoff = stage.parameters.cutoff;
  return name == "lowpass" || name == "bandpass" ? cutoff.back() : 0;
}

/// The highest frequency that remains along one axis after the previous stages, and the samples per
/// unit along this axis.
struct Band {
  double highest = 0, rate = 0;
};

void note_folding(const Config& config, const Problem& problem, const std::vector<StageMask>& masks,
                  Notes& notes) {
  std::map<int, Band> bands;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    const StageConfig& stage = config.stages[i];
    const auto& along = masks[i].dataset_axes;
    if (const auto& design = problem.designed_for[i]) {
      Band& band = bands[along[0]];
      band.rate = design->samples_per_unit;
      const double nyquist = band.rate / 2, own = highest_passed(stage);
      const double passed = own > 0 ? own : nyquist;
      band.highest = band.highest > 0 ? std::min(band.highest, passed) : passed;
    }
    for (std::size_t k = 0; k < along.size(); ++k) {
      const Index stride = value_along(stage, "stride", stage.stride, k, along.size());
      const auto found = bands.find(along[k]);
      if (stride == 1 || found == bands.end()) continue;
      Band& band = found->second;
      band.rate /= static_cast<double>(stride);
      if (band.highest <= band.rate / 2) continue;
      notes.push_back(
          fmt::format("{}: stride = {} leaves a sampling rate of {}, which holds frequencies up to "
                      "{}, and the filter passes those up to {}, which fold down to lower ones "
                      "(aliasing): write a lower cutoff, or a smaller stride",
                      name_of(stage), stride, band.rate, band.rate / 2, band.highest));
      band.highest = band.rate / 2;
    }
  }
}

}  // namespace

std::vector<std::string> notes_on_stages(const Config& config, const Problem& problem,
                                         const std::vector<StageMask>& masks,
                                         const std::vector<Index>& dims) {
  Notes notes;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    note_single_points(config.stages[i], masks[i], dims, notes);
    note_half_points(config.stages[i], masks[i], notes);
    note_boundary_value(config.stages[i], problem, notes);
  }
  note_folding(config, problem, masks, notes);
  return notes;
}

}  // namespace stencil
