#include "drivers/plan/make/axes_of_mask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

int checked_axis(const std::string& key, int axis, int rank) {
  if (axis < -rank || axis >= rank)
    throw WordsError(fmt::format("{} = {}: the dataset has {} {}, write {} to {}", key, axis, rank,
                                 rank == 1 ? "axis" : "axes", -rank, rank - 1));
  return axis < 0 ? axis + rank : axis;
}

const char* axes_words(std::size_t count) {
  return count == 1 ? "one axis" : count == 2 ? "two axes" : "three axes";
}

std::vector<int> AxesOfMask::two() const {
  if (given.size() == 2) return given;
  if (rank < 2)
    refuse(stage, fmt::format("mask = {} is two-dimensional, but the dataset has one axis: {}",
                              shortened(stage.mask.text), one_axis_instead()));
  return {rank - 2, rank - 1};
}

std::vector<int> AxesOfMask::three() const {
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
const char* AxesOfMask::one_axis_instead() const {
  if (stage.mask.family != nullptr) return "write rank = 1";
  return stage.mask.location ? "store it with one axis, or name another mask"
                             : "write its taps in one row, without ;";
}

bool AxesOfMask::are_two(const Family& family) const {
  if (family.one_dimensional) return false;
  if (!given.empty()) return given.size() == 2;
  if (stage.rank != 0) return stage.rank == 2;
  return rank >= 2 && (family.across != nullptr || !axis);
}

std::size_t AxesOfMask::direction() const {
  if (!given.empty()) return direction_in_given();
  const int along = axis.value_or(rank - 1);
  if (rank < 2) (void)two();
  if (along < rank - 2)
    refuse(stage, fmt::format("axis = {}: a two-dimensional {} differentiates along one of the "
                              "last two axes: write -1 or -2, or rank = 1",
                              along, stage.mask.text));
  return along == rank - 1 ? 1 : 0;
}

std::size_t AxesOfMask::direction_in_given() const {
  if (!axis) return given.size() - 1;
  const auto found = std::find(given.begin(), given.end(), *axis);
  if (found != given.end()) return static_cast<std::size_t>(found - given.begin());
  if (!stage.axis) return given.size() - 1;  // input.axis applies to other masks
  refuse(stage, fmt::format("axis = {}: the mask runs along the axes {}, and differentiates along "
                            "one of them: write {}",
                            *stage.axis, fmt::join(given, " and "), fmt::join(given, " or ")));
}

void AxesOfMask::check(bool mixes_channels, std::size_t count) const {
  const std::string mask = shortened(stage.mask.text);
  if (!given.empty() && mixes_channels)
    refuse(stage, fmt::format("axes means nothing for mask = {} of 4 axes, which runs over the "
                              "last two axes and mixes the channels before them: remove it",
                              mask));
  if (!given.empty() && given.size() != count)
    refuse(stage,
           fmt::format("axes names {} of the dataset, but mask = {} runs along {}: write {}",
                       axes_words(given.size()), mask, axes_words(count), axes_words(count)));
  if (count > 1 && stage.axis)
    refuse(stage, fmt::format("axis means nothing for mask = {}, which runs over the last {}: "
                              "remove it",
                              mask, axes_words(count)));
}

template <std::size_t N>
std::array<Index, N> AxesOfMask::origins() const {
  std::array<Index, N> origin{};
  for (std::size_t i = 0; i < N; ++i) origin[i] = value_along(stage, "origin", stage.origin, i, N);
  return origin;
}
template std::array<Index, 1> AxesOfMask::origins() const;
template std::array<Index, 2> AxesOfMask::origins() const;
template std::array<Index, 3> AxesOfMask::origins() const;

}  // namespace stencil
