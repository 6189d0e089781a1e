#include "drivers/plan/make/output_derivative.hpp"

#include <algorithm>
#include <cmath>

namespace stencil {
namespace {

/// Returns whether taps sum to nearly 0, so that a constant becomes 0 and the result has another
/// unit. For comparison, the sum relative to the sum of absolute values is about 1e-3 for a
/// band-pass of SciPy, and about 1e-8 for taps of a derivative that were rounded to float32.
bool cancel(const double* taps, std::size_t count) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += taps[i];
    weight += std::abs(taps[i]);
  }
  return std::abs(sum) < 1e-6 * weight;
}

/// The axis of the dataset, the order and the step of a stage's derivative.
struct StageDerivative {
  int axis = 0;
  Index order = 0;
  double delta = 1;  ///< distance between the stage's inputs
};

std::optional<StageDerivative> derivative_of(const StageConfig& words, const StageMask& mask) {
  const Family* family = words.mask.family;
  if (family == nullptr || words.steps != 1) return std::nullopt;
  const FamilyParameters& p = words.parameters;
  if (family->across != nullptr && p.delta.empty()) return std::nullopt;  // not normalized
  const std::vector<Index>& orders = mask.orders;
  const auto derived = [](Index order) { return order > 0; };
  const auto first = std::find_if(orders.begin(), orders.end(), derived);
  if (first == orders.end()) return std::nullopt;
  if (std::count_if(orders.begin(), orders.end(), derived) > 1) {
    // second derivatives are added if the coordinates of all axes have the same unit
    const bool is_sum = family->grid != nullptr && !words.delta_unit.empty();
    if (!is_sum) return std::nullopt;
  }
  if (words.operation == Operation::convolve && *first % 2 == 1) return std::nullopt;
  const auto k = static_cast<std::size_t>(first - orders.begin());
  return StageDerivative{mask.dataset_axes[k], *first, delta_along(p, k)};
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

std::optional<OutputDerivative> derivative_of(const Config& config,
                                              const std::vector<StageMask>& masks,
                                              const Problem& problem) {
  std::optional<OutputDerivative> result;
  // The chain may have one more stage, the last step of the last stage, see add_margins().
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    if (!differentiates(config.stages[i], problem.chain.stages[i])) continue;
    const auto found = derivative_of(config.stages[i], masks[i]);
    if (!found || result) return std::nullopt;
    const auto at = static_cast<std::size_t>(found->axis);
    const Axis axis = problem.input_form.normal_axis(found->axis);
    // points of the whole input between two inputs of the stage
    Index points = problem.input.selected.empty() ? 1 : problem.input.selected[at].step;
    for (std::size_t before = 0; before < i; ++before)
      points *= problem.chain.stages[before].sampling[axis].stride;
    result = OutputDerivative{.axis = at,
                              .order = found->order,
                              .step = found->delta / static_cast<double>(points),
                              .unit = config.stages[i].delta_unit};
  }
  return result;
}

}  // namespace stencil
