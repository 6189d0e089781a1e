#include "drivers/plan/make/stage_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>

#include "drivers/config/canonical.hpp"
#include "drivers/config/stage.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

std::string in_lower_case(std::string word) {
  for (char& letter : word)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return word;
}

int numbered(const StageConfig& stage, int axis, const DatasetFacts& facts) {
  const int rank = static_cast<int>(facts.dims.size());
  if (axis < -rank || axis >= rank)
    refuse(stage,
           fmt::format("axes = {}: the dataset has {} {}, write {} to {}", text_of(stage.axes),
                       rank, rank == 1 ? "axis" : "axes", -rank, rank - 1));
  return axis < 0 ? axis + rank : axis;
}

int named(const StageConfig& stage, const std::string& name, const DatasetFacts& facts) {
  const std::vector<std::string>& names = facts.axis_names;
  std::vector<int> found;
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    if (in_lower_case(names[axis]) == in_lower_case(name)) found.push_back(static_cast<int>(axis));
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    refuse(stage, fmt::format("axes = {}: the axes {} have the name {}: write their numbers",
                              text_of(stage.axes), fmt::join(found, " and "), shortened(name)));
  std::string known;
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    if (!names[axis].empty())
      known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", shortened(names[axis]), axis);
  refuse(stage,
         fmt::format("axes = {}: the file names no axis {}, {}", shortened(text_of(stage.axes)),
                     shortened(name),
                     known.empty() ? "and no other axis: write numbers of axes"
                                   : "write a number, or one of the names that it has: " + known));
}

}  // namespace

void resolve_axes(Config& config, const DatasetFacts& facts) {
  bool is_any = false;
  for (StageConfig& stage : config.stages) {
    std::vector<AxisWord> numbers;
    for (const AxisWord& word : stage.axes) {
      const AxisWord number = std::holds_alternative<int>(word)
                                  ? numbered(stage, std::get<int>(word), facts)
                                  : named(stage, std::get<std::string>(word), facts);
      if (std::find(numbers.begin(), numbers.end(), number) != numbers.end())
        refuse(stage, fmt::format("axes = {}: axis {} is given twice: write different axes",
                                  text_of(stage.axes), std::get<int>(number)));
      numbers.push_back(number);
    }
    is_any = is_any || !numbers.empty();
    stage.axes = std::move(numbers);
  }
  if (is_any) config.canonical = canonical_text(config);
}

std::vector<int> given_axes(const StageConfig& stage) {
  std::vector<int> numbers;
  for (const AxisWord& axis : stage.axes) numbers.push_back(std::get<int>(axis));
  return numbers;
}

Mask transposed(Mask mask) {
  const Taps taps = mask.taps;
  if (!taps.values.empty())
    for (Index y = 0; y < taps.height; ++y)
      for (Index x = 0; x < taps.width; ++x)
        mask.taps.values[static_cast<std::size_t>(x * taps.height + y)] = taps.at(y, x);
  std::swap(mask.taps.height, mask.taps.width);
  std::swap(mask.centre[0], mask.centre[1]);
  if (mask.factors) std::swap(mask.factors->column, mask.factors->row);
  return mask;
}

Mask reordered(const Mask& mask, const std::array<int, 3>& order) {
  const Taps& taps = mask.taps;
  const Point extent{taps.depth, taps.height, taps.width},
      centre{mask.centre_plane, mask.centre[0], mask.centre[1]},
      pitch{taps.height * taps.width, taps.width, 1};
  Mask result = mask;
  Point size, middle, step;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto from = static_cast<std::size_t>(order[axis]);
    size[axis] = extent[from];
    middle[axis] = centre[from];
    step[axis] = pitch[from];
  }
  result.taps = {.height = size[1], .width = size[2], .values = {}, .depth = size[0]};
  for (Index k = 0; k < size[0]; ++k)
    for (Index j = 0; j < size[1]; ++j)
      for (Index i = 0; i < size[2]; ++i)
        result.taps.values.push_back(
            taps.values[static_cast<std::size_t>(k * step[0] + j * step[1] + i * step[2])]);
  if (mask.factors) {
    const std::array<const std::vector<double>*, 3> lists{
        &mask.factors->plane, &mask.factors->column, &mask.factors->row};
    const auto from = [&](int axis) {
      return *lists[static_cast<std::size_t>(order[static_cast<std::size_t>(axis)])];
    };
    result.factors = Factors{from(1), from(2), mask.factors->terms, from(0)};
  }
  result.centre_plane = middle[0];
  result.centre = {middle[1], middle[2]};
  return result;
}

}  // namespace stencil
