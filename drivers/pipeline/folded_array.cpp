#include "drivers/pipeline/folded_array.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Appends an axis to the axes that are folded into batch. The index of the new axis varies faster
/// than those of the axes appended before.
template <class Byte>
void fold_in(FoldedArray<Byte>& folded, Index extent, Index stride) {
  if (extent == 1) return;
  const int last = folded.batch_extent.size() - 1;
  if (last >= 0 && folded.batch_stride[last] == extent * stride) {
    folded.batch_extent[last] *= extent;
    folded.batch_stride[last] = stride;
    return;
  }
  folded.batch_extent.push_back(extent);
  folded.batch_stride.push_back(stride);
}

/// Returns the axes given by the caller as nonnegative numbers.
std::vector<int> counted_from_zero(std::vector<int> given, int count, const char* name) {
  for (int& axis : given) {
    if (axis < -count || axis >= count)
      throw UsageError(fmt::format("options.axes names axis {}, and {} has {} axes: use -{} to {}",
                                   axis, name, count, count, count - 1));
    if (axis < 0) axis += count;
  }
  for (auto axis = given.begin(); axis != given.end(); ++axis)
    if (std::find(axis + 1, given.end(), *axis) != given.end())
      throw UsageError(
          fmt::format("options.axes names axis {} of {} twice: name each once", *axis, name));
  return given;
}

}  // namespace

AxisRoles roles_of(int count, const std::vector<int>& given, const char* name) {
  if (count == 0)
    throw UsageError(fmt::format("{} has no axes: give an array of at least one axis", name));
  if (given.size() > 3)
    throw UsageError(
        fmt::format("options.axes = {} names more than three axes: stages run along batch, y and x",
                    fmt::join(given, " ")));
  std::vector<int> named = counted_from_zero(given, count, name);
  if (named.empty()) named = count == 1 ? std::vector{0} : std::vector{count - 2, count - 1};
  AxisRoles roles;
  roles.x = named.back();
  if (named.size() > 1) roles.y = named[named.size() - 2];
  const bool names_batch = named.size() == 3;
  for (int axis = 0; axis < count; ++axis)
    if (std::find(named.begin(), named.end(), axis) == named.end())
      (names_batch ? roles.outer : roles.batch).push_back(axis);
  if (names_batch) roles.batch.push_back(named.front());
  return roles;
}

Point folded_shape(const AxisList& shape, const AxisRoles& roles) {
  Point folded{1, roles.y < 0 ? 1 : shape[roles.y], shape[roles.x]};
  for (const Index axis : roles.batch)
    folded[batch_axis] = checked_multiply(folded[batch_axis], shape[int(axis)]);
  return folded;
}

AxisList picked(const AxisList& shape, const AxisList& which) {
  AxisList found;
  for (const Index axis : which) found.push_back(shape[int(axis)]);
  return found;
}

template <class Byte>
FoldedArray<Byte> fold(const AnyArray<Byte>& array, const AxisRoles& roles) {
  FoldedArray<Byte> folded;
  folded.data = array.data;
  folded.element = array.element;
  folded.extent = {1, 1, 1};
  for (const Index axis : roles.batch) {
    const Index extent = array.shape[int(axis)];
    folded.extent[batch_axis] = checked_multiply(folded.extent[batch_axis], extent);
    fold_in(folded, extent, array.strides[int(axis)]);
  }
  if (roles.y >= 0) {
    folded.extent[y_axis] = array.shape[roles.y];
    folded.y_stride = array.strides[roles.y];
  }
  folded.extent[x_axis] = array.shape[roles.x];
  folded.x_stride = array.strides[roles.x];
  return folded;
}

template FoldedArray<const std::byte> fold(const AnyInput&, const AxisRoles&);
template FoldedArray<std::byte> fold(const AnyOutput&, const AxisRoles&);

}  // namespace stencil
