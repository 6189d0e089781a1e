#include "io/write/carry/mended_lists.hpp"

#include <algorithm>
#include <cmath>

#include "io/write/carry/axis_values.hpp"

namespace stencil::storage {
namespace {

bool take_points(const AxisSampling& s, Index inputs, std::vector<double>& numbers) {
  if (std::ssize(numbers) != inputs) return false;
  std::vector<double> taken;
  for (Index i = 0; i < s.count; ++i)
    taken.push_back(numbers[static_cast<std::size_t>(s.first + i * s.stride)]);
  numbers = std::move(taken);
  return true;
}

/// Replaces the index of each point by the index of the first output point at or after the point;
/// for Meaning::end_index, by the index of the last output point at or before the point. @returns
/// false if a begin index lies after the last output point or an end index before the first
bool move_indices(Meaning meaning, const AxisSampling& s, std::vector<double>& numbers) {
  std::vector<double> moved;
  for (const double number : numbers) {
    const double at = (number - static_cast<double>(s.first)) / static_cast<double>(s.stride);
    const bool is_end = meaning == Meaning::end_index;
    const double last = static_cast<double>(s.count - 1);
    double index = is_end ? std::floor(at) : std::ceil(at);
    if (meaning == Meaning::turn && (index < 0 || index > last)) index = 0;
    if (is_end ? index < 0 : index > last) return false;
    moved.push_back(std::clamp(index, 0.0, last));
  }
  numbers = std::move(moved);
  return true;
}

}  // namespace

bool is_of_a_list(Meaning meaning) {
  return meaning == Meaning::values || meaning == Meaning::begin_index ||
         meaning == Meaning::end_index || meaning == Meaning::turn;
}

bool mend_list(Meaning meaning, const AxisSampling& sampling, Index inputs,
               std::vector<double>& numbers) {
  if (numbers.empty() || is_mixed(sampling) || !is_inside(sampling, inputs)) return false;
  const bool are_indices = meaning != Meaning::values;
  const bool are_within = std::all_of(numbers.begin(), numbers.end(), [&](double number) {
    return number >= 0 && number < static_cast<double>(inputs);
  });
  if (are_indices) return are_within && move_indices(meaning, sampling, numbers);
  return take_points(sampling, inputs, numbers);
}

}  // namespace stencil::storage
