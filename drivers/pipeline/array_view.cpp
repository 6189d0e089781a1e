#include "drivers/pipeline/array_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/grid/error.hpp"

namespace stencil {

AxisList::AxisList(std::initializer_list<Index> numbers) {
  for (const Index number : numbers) push_back(number);
}

AxisList::AxisList(const std::vector<Index>& numbers) {
  for (const Index number : numbers) push_back(number);
}

void AxisList::push_back(Index number) {
  if (size_ == most_array_axes)
    throw UsageError(
        fmt::format("an array has at most {} axes: merge some of them, or filter it "
                    "in parts",
                    most_array_axes));
  numbers_[size_++] = number;
}

std::string to_string(const AxisList& numbers) {
  return numbers.size() == 0 ? "()" : fmt::format("{}", fmt::join(numbers, "x"));
}

Index points(const AxisList& shape) {
  Index count = 1;
  for (const Index extent : shape) {
    if (extent == 0) return 0;
    count = checked_multiply(count, extent);
  }
  return count;
}

AxisList row_major_strides(const AxisList& shape, Index element_bytes) {
  AxisList strides = shape;
  Index bytes = element_bytes;
  for (int axis = shape.size() - 1; axis >= 0; --axis) {
    strides[axis] = bytes;
    bytes = checked_multiply(bytes, shape[axis]);
  }
  return strides;
}

Index size_of(Element element) {
  switch (element) {
    case Element::int8:
    case Element::uint8:
      return 1;
    case Element::int16:
    case Element::uint16:
      return 2;
    case Element::float32:
    case Element::int32:
    case Element::uint32:
      return 4;
    default:
      return 8;
  }
}

}  // namespace stencil
