#include "drivers/plan/make/output_derivative.hpp"

#include <algorithm>
#include <cmath>

#include "drivers/config/stage.hpp"
#include "drivers/plan/make/stage_axes.hpp"

namespace stencil {
namespace {

/// Returns whether taps sum to nearly 0, so that a constant becomes 0 and the result has another
/// unit. The relative sum is about 1e-3 for a band-pass of SciPy, and about 1e-8 for taps rounded
/// to float32.
bool cancel(const double* taps, std::size_t count) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += taps[i];
    weight += std::abs(taps[i]);
  }
  return std::abs(sum) < 1e-6 * weight;
}

/// The axis of the normal form, the order and the step of a stage's derivative.
struct StageDerivative {
  int axis = x_axis;
  Index order = 0;
  double delta = 1;  ///< distance between the stage's inputs
};

std::optional<StageDerivative> derivative_of(const StageConfig& words, const BoundStage& stage) {
  const Family* family = words.mask.family;
  if (family == nullptr || stage.steps != 1) return std::nullopt;
  const FamilyParameters& p = words.parameters;
  StageDerivative found{.axis = stage.mask_axis};
  if (family == find_family("savgol")) {
    found.order = p.deriv;
    found.delta = p.delta.front();
  } else if (family == find_family("gaussian")) {
    const std::vector<Index>& order = p.order;
    if (stage.choice.mask.rank == 3) return std::nullopt;
    const bool two = stage.choice.mask.rank == 2;
    if (two && (order.size() != 2 || (order[0] > 0) == (order[1] > 0))) return std::nullopt;
    found.order = *std::max_element(order.begin(), order.end());
    const auto axes = given_axes(words);
    const bool is_turned = axes.size() == 2 && axes[0] > axes[1];  // the order of the axes is x, y
    if (two) found.axis = (order[0] > 0) != is_turned ? y_axis : x_axis;
    found.delta = p.delta.size() > 1 && order[0] == 0 ? p.delta[1] : p.delta[0];
  }
  const bool is_turned = words.operation == Operation::convolve && found.order % 2 == 1;
  if (found.order < 1 || is_turned) return std::nullopt;
  return found;
}

}  // namespace

bool differentiates(const StageConfig& words, const BoundStage& stage) {
  if (const auto& channels = stage.channels) {
    const auto taps = static_cast<std::size_t>(channels->taps());
    for (std::size_t at = 0; at < channels->values.size(); at += taps)
      if (cancel(channels->values.data() + at, taps)) return true;
    return false;
  }
  if (!stage.bank.empty())
    return std::any_of(stage.bank.begin(), stage.bank.end(), [](const MethodChoice& one) {
      return cancel(one.mask.taps.values.data(), one.mask.taps.values.size());
    });
  if (words.mask.family == nullptr)
    return cancel(stage.choice.mask.taps.values.data(), stage.choice.mask.taps.values.size());
  return is_derivative(*words.mask.family, words.parameters);
}

std::optional<OutputDerivative> derivative_of(const Config& config, const Problem& problem) {
  std::optional<OutputDerivative> result;
  // The chain may have one more stage, the last step of the last stage, see add_margins().
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    if (!differentiates(config.stages[i], problem.chain.stages[i])) continue;
    const auto found = derivative_of(config.stages[i], problem.chain.stages[i]);
    if (!found || result) return std::nullopt;
    const auto at = static_cast<std::size_t>(problem.input_form.active_axis(found->axis));
    // points of the whole input between two inputs of the stage
    Index points = problem.input.selected.empty() ? 1 : problem.input.selected[at].step;
    for (std::size_t before = 0; before < i; ++before)
      points *= problem.chain.stages[before].sampling[found->axis].stride;
    result = OutputDerivative{.axis = at,
                              .order = found->order,
                              .step = found->delta / static_cast<double>(points),
                              .unit = config.stages[i].delta_unit};
  }
  return result;
}

}  // namespace stencil
