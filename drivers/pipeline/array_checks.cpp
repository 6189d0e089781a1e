#include "drivers/pipeline/array_checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the range of addresses of an array.
template <class Byte>
std::pair<std::uintptr_t, std::uintptr_t> range_of(const AnyArray<Byte>& array) {
  Index low = 0, high = size_of(array.element);
  for (int axis = 0; axis < array.shape.size(); ++axis) {
    const Index reach = checked_multiply(array.shape[axis] - 1, array.strides[axis]);
    (reach < 0 ? low : high) = checked_add(reach < 0 ? low : high, reach);
  }
  const auto start = reinterpret_cast<std::uintptr_t>(array.data);
  return {start + std::uintptr_t(low), start + std::uintptr_t(high)};
}

}  // namespace

bool overlap(const AnyInput& input, const AnyOutput& output) {
  const auto [in_first, in_last] = range_of(input);
  const auto [out_first, out_last] = range_of(output);
  return in_first < out_last && out_first < in_last;
}

void require_one_batch_axis(const std::vector<Stage>& stages, const AxisList& shape,
                            const AxisRoles& roles) {
  const auto is_long = [&](Index axis) { return shape[int(axis)] > 1; };
  if (std::count_if(roles.batch.begin(), roles.batch.end(), is_long) < 2) return;
  for (const Stage& stage : stages) {
    const Mask& mask = stage.bank.empty() ? stage.mask : stage.bank.front();
    const Crop& crop = stage.crop[batch_axis];
    const bool along_batch = mask.rank == 3 || (mask.rank == 1 && mask.axis == batch_axis);
    if ((!stage.channels && along_batch) || crop.shift != 0 || crop.count != 0)
      throw UsageError(fmt::format(
          "{} runs along batch, and input.shape = {} has several axes that fold into batch: name "
          "the axis that is meant, as options.axes = {{batch, y, x}}",
          stage.name, to_string(shape)));
  }
}

void require_extents(const AxisList& shape, const char* name) {
  for (const Index extent : shape)
    if (extent < 1)
      throw UsageError(
          fmt::format("{}.shape = {} has an axis of {} points: each axis needs at "
                      "least one",
                      name, to_string(shape), extent));
}

template <class Byte>
void require_sound(const AnyArray<Byte>& array, const char* name) {
  if (array.data == nullptr) throw UsageError(fmt::format("{}.data is a null pointer", name));
  if (array.strides.size() != array.shape.size())
    throw UsageError(
        fmt::format("{}.strides has {} numbers, and {}.shape = {} has {}: give one "
                    "stride, in bytes, for each axis",
                    name, array.strides.size(), name, to_string(array.shape), array.shape.size()));
  require_extents(array.shape, name);
}

/// The axes are sorted by stride. The stride of each axis must step over all points of the previous
/// axes.
void require_distinct_points(const AnyOutput& output) {
  std::vector<std::pair<Index, Index>> steps;  // stride and extent
  for (int axis = 0; axis < output.shape.size(); ++axis)
    if (output.shape[axis] > 1)
      steps.emplace_back(std::abs(output.strides[axis]), output.shape[axis]);
  std::sort(steps.begin(), steps.end());
  Index taken = size_of(output.element);
  for (const auto& [stride, extent] : steps) {
    if (stride < taken)
      throw UsageError(
          fmt::format("output.strides = {} of output.shape = {} make points overlap: "
                      "give each point memory of its own",
                      to_string(output.strides), to_string(output.shape)));
    taken = checked_add(taken, checked_multiply(stride, extent - 1));
  }
}

template void require_sound(const AnyInput&, const char*);
template void require_sound(const AnyOutput&, const char*);

}  // namespace stencil
