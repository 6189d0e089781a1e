#include "io/write/blocks/output_blocks.hpp"

#include <algorithm>

#include "io/hdf5/element_type.hpp"

namespace stencil::storage {
namespace {

// long enough for fast writes, and a block fits into the cache
constexpr Index contiguous_bytes = Index{1} << 20;

/// Returns the extents of a block of adjacent rows with about `room` points. As many inner axes as
/// possible are included completely.
std::vector<Index> rows_of(const std::vector<Index>& dims, Index room, std::size_t apart) {
  std::vector<Index> unit(dims.size(), 1);
  for (std::size_t axis = dims.size(); axis-- > apart && room > 0;) {
    unit[axis] = std::min(dims[axis], room);
    room = unit[axis] == dims[axis] ? room / unit[axis] : 0;
  }
  return unit;
}

template <class Part>
Index count_missing(const std::byte* bytes, Index numbers) {
  const auto* parts = reinterpret_cast<const Part*>(bytes);
  Index missing = 0;
  for (Index i = 0; i < numbers; ++i)
    missing += parts[2 * i] != parts[2 * i] || parts[2 * i + 1] != parts[2 * i + 1];
  return missing;
}

}  // namespace

BlockGrid::BlockGrid(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                     Index element_bytes, std::size_t apart, Index parts)
    : dims_(dims),
      unit_(chunk.empty()
                ? rows_of(dims, std::max<Index>(1, contiguous_bytes / element_bytes), apart)
                : chunk),
      element_bytes_(element_bytes),
      parts_(parts),
      is_padded_(!chunk.empty()) {
  for (std::size_t axis = 0; axis < dims_.size(); ++axis) {
    unit_[axis] = std::min(unit_[axis], dims_[axis]);
    blocks_.push_back((dims_[axis] - 1) / unit_[axis] + 1);
    size_ = checked_multiply(size_, blocks_.back());
  }
  unit_points_ = storage::points_of(unit_);
}

std::vector<Index> BlockGrid::first_of(Index block) const {
  std::vector<Index> first(dims_.size());
  for (std::size_t axis = dims_.size(); axis-- > 0; block /= blocks_[axis])
    first[axis] = block % blocks_[axis] * unit_[axis];
  return first;
}

Piece BlockGrid::points_in(Index block) const {
  Piece piece{first_of(block), unit_};
  for (std::size_t axis = 0; axis < dims_.size(); ++axis)
    piece.count[axis] = std::min(unit_[axis], dims_[axis] - piece.start[axis]);
  return piece;
}

Piece BlockGrid::stored_in(Index block) const {
  return is_padded_ ? Piece{first_of(block), unit_} : points_in(block);
}

Index BlockGrid::missing_numbers(Index block, const std::byte* bytes) const {
  if (parts_ == 1) return 0;
  const Index numbers = stored_in(block).points() / parts_;  // the padding holds no NaN
  return element_bytes_ == sizeof(double) ? count_missing<double>(bytes, numbers)
                                          : count_missing<float>(bytes, numbers);
}

Index BlockGrid::offset(Index block) const {
  if (is_padded_) return block * most_bytes();
  Index at = 0;
  const std::vector<Index> first = first_of(block);
  for (std::size_t axis = 0; axis < dims_.size(); ++axis) at = at * dims_[axis] + first[axis];
  return at * element_bytes_;
}

Index BlockGrid::whole_rows(const Interval& axes) const {
  Index outside = 1;
  for (Index axis = axes.first; axis < axes.last; ++axis) {
    const Index extent = dims_[static_cast<std::size_t>(axis)],
                unit = unit_[static_cast<std::size_t>(axis)];
    if (unit == 1) {
      outside = checked_multiply(outside, extent);
      continue;
    }
    // a block begins at each index of the outer axes
    Index rows = outside == 1 || extent % unit == 0 ? unit : extent;
    for (Index inner = axis + 1; inner < axes.last; ++inner)
      rows = checked_multiply(rows, dims_[static_cast<std::size_t>(inner)]);
    return rows;
  }
  return 1;
}

std::vector<Index> BlockGrid::touched_by(const Piece& slab) const {
  std::vector<Index> numbers{0};
  for (std::size_t axis = 0; axis < dims_.size(); ++axis) {
    const Index first = slab.start[axis] / unit_[axis];
    const Index last = (slab.start[axis] + slab.count[axis] - 1) / unit_[axis];
    std::vector<Index> longer;
    longer.reserve(numbers.size() * static_cast<std::size_t>(last - first + 1));
    for (const Index number : numbers)
      for (Index at = first; at <= last; ++at) longer.push_back(number * blocks_[axis] + at);
    numbers = std::move(longer);
  }
  return numbers;
}

BlockGrid grid_of(const OutputSpec& spec) {
  return {spec.dims(), spec.chunk_of_dims(), static_cast<Index>(size_of(spec.type)),
          spec.leading_axes(), spec.is_complex ? 2 : 1};
}

Interval bytes_of_points(const BlockGrid& grid, Index first_byte) {
  const Index last = grid.size() - 1;
  return {first_byte,
          first_byte + grid.offset(last) + grid.stored_in(last).points() * grid.element_bytes()};
}

Piece common_part(const Piece& a, const Piece& b) {
  Piece part = a;
  for (std::size_t axis = 0; axis < a.start.size(); ++axis) {
    part.start[axis] = std::max(a.start[axis], b.start[axis]);
    part.count[axis] =
        std::min(a.start[axis] + a.count[axis], b.start[axis] + b.count[axis]) - part.start[axis];
  }
  return part;
}

}  // namespace stencil::storage
