#include "drivers/pipeline/array_tile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "framework/grid/axis_sources.hpp"

namespace stencil {
namespace {

template <class Work>
void with_type(Element element, const Work& work) {
  switch (element) {
    case Element::float32:
      return work(float{});
    case Element::float64:
      return work(double{});
    case Element::int8:
      return work(std::int8_t{});
    case Element::int16:
      return work(std::int16_t{});
    case Element::int32:
      return work(std::int32_t{});
    case Element::int64:
      return work(std::int64_t{});
    case Element::uint8:
      return work(std::uint8_t{});
    case Element::uint16:
      return work(std::uint16_t{});
    case Element::uint32:
      return work(std::uint32_t{});
    case Element::uint64:
      return work(std::uint64_t{});
  }
}

/// Returns the number of points along x that are copied before the copy continues with the next
/// row. In a transposed array, points of neighbouring rows are neighbours in memory, so that these
/// rows share cache lines.
constexpr Index block_of(Index x_stride) {
  return x_stride >= 64 || x_stride <= -64 ? 16 : Index{1} << 62;
}

/// Element of listed() for an index whose value is the boundary value. Each other element is the
/// index of the point from which the value is copied.
constexpr Index none = -1;

std::vector<Index> listed(const Interval& wanted, BoundaryRule rule, Index extent) {
  std::vector<Index> list(static_cast<std::size_t>(wanted.extent()), none);
  const AxisSources sources = axis_sources(wanted, rule, extent);
  for (Index i = sources.inside.first; i < sources.inside.last; ++i)
    list[std::size_t(i - wanted.first)] = i;
  for (const GhostRun& run : sources.ghosts)
    for (Index i = 0; i < run.count; ++i)
      list[std::size_t(run.ghost + i - wanted.first)] = run.source + i * run.step;
  return list;
}

template <class Stored, class T>
void read_points(const std::byte* from, Index stride, T* to, Index count) {
  if (std::is_same_v<Stored, T> && stride == Index{sizeof(T)}) {
    std::memcpy(to, from, std::size_t(count) * sizeof(T));
    return;
  }
  const auto read = [&](Index step) {
    for (Index x = 0; x < count; ++x) {
      Stored value;
      std::memcpy(&value, from + x * step, sizeof(Stored));  // points may be unaligned
      to[x] = static_cast<T>(value);
    }
  };
  stride == Index{sizeof(Stored)} ? read(Index{sizeof(Stored)}) : read(stride);
}

/// Reads the columns `[columns.first, columns.last)` of one row of a tile.
template <class Stored, class T>
void read_row(const FoldedArray<const std::byte>& array, const std::byte* row,
              const AxisSources& along_x, Index origin, const Interval& columns, T value, T* to) {
  const Interval inside = intersect(along_x.inside, columns);
  if (!inside.empty())
    read_points<Stored>(row + inside.first * array.x_stride, array.x_stride,
                        to + (inside.first - origin), inside.extent());
  for (const GhostRun& run : along_x.ghosts) {
    const Interval ghosts = intersect({run.ghost, run.ghost + run.count}, columns);
    if (ghosts.empty()) continue;
    const Index source = run.source + (ghosts.first - run.ghost) * run.step;
    read_points<Stored>(row + source * array.x_stride, array.x_stride * run.step,
                        to + (ghosts.first - origin), ghosts.extent());
  }
  for (const Interval& run : along_x.constant) {
    const Interval ghosts = intersect(run, columns);
    if (!ghosts.empty()) std::fill_n(to + (ghosts.first - origin), ghosts.extent(), value);
  }
}

/// Truncates towards 0. Numbers outside the range are reduced modulo 2 to the number of bits.
template <class Stored, class T>
Stored truncated(T value) {
  constexpr T limit = T(9223372036854775808.0);  // 2^63
  if (std::is_same_v<Stored, std::uint64_t> && value >= limit)
    return value >= 2 * limit ? Stored(-1) : static_cast<Stored>(value);
  if (!(value > -limit)) return std::isnan(value) ? Stored{} : static_cast<Stored>(INT64_MIN);
  return static_cast<Stored>(value >= limit ? INT64_MAX : static_cast<std::int64_t>(value));
}

/// Rounds to the nearest integer; values beyond the range become the nearest end of the range.
template <class Stored, class T>
Stored saturated(T value) {
  using Limits = std::numeric_limits<Stored>;
  if (std::isnan(value)) return Stored{};
  const T whole = std::nearbyint(value);
  if (whole <= static_cast<T>(Limits::min())) return Limits::min();
  // no floating-point number is equal to the largest 64-bit integer, but one is equal to the next
  // integer
  if (whole >= static_cast<T>(Limits::max())) return Limits::max();
  return static_cast<Stored>(whole);
}

template <class Stored, class T>
Stored converted(T value, IntegerCast cast) {
  if constexpr (std::is_floating_point_v<Stored>)
    return static_cast<Stored>(value);
  else
    return cast == IntegerCast::truncate ? truncated<Stored>(value) : saturated<Stored>(value);
}

template <class Stored, class T>
void write_points(const T* from, std::byte* to, Index stride, Index count, IntegerCast cast) {
  if (std::is_same_v<Stored, T> && stride == Index{sizeof(T)}) {
    std::memcpy(to, from, std::size_t(count) * sizeof(T));
    return;
  }
  const auto write = [&](IntegerCast how) {
    for (Index x = 0; x < count; ++x) {
      const Stored value = converted<Stored>(from[x], how);
      std::memcpy(to + x * stride, &value, sizeof(Stored));
    }
  };
  cast == IntegerCast::truncate ? write(IntegerCast::truncate) : write(IntegerCast::saturate);
}

}  // namespace

template <class T>
void read_tile(const FoldedArray<const std::byte>& array, const Box& box, const Boundary& boundary,
               FieldView<T> tile) {
  const auto list = [&](Axis axis) {
    return listed(box.along(axis), boundary.rule[axis], array.extent[axis]);
  };
  const std::vector<Index> batches = list(batch_axis), rows = list(y_axis);
  const AxisSources along_x =
      axis_sources(box.along(x_axis), boundary.rule[x_axis], array.extent[x_axis]);
  const T value = static_cast<T>(boundary.value);
  const Index origin = box.first[x_axis], end = box.last[x_axis];
  const Index block = std::min(block_of(array.x_stride), std::max<Index>(1, end - origin));
  with_type(array.element, [&]<class Stored>(Stored) {
    for (Index b = 0; b < tile.extent[0]; ++b) {
      const Index offset = batches[b] == none ? 0 : array.batch_offset(batches[b]);
      for (Index x = origin; x < end; x += block) {
        const Interval columns{x, std::min(end, x + block)};
        for (Index y = 0; y < tile.extent[1]; ++y) {
          T* to = &tile.at(b, y, 0);
          if (batches[b] == none || rows[y] == none)
            std::fill_n(to + (columns.first - origin), columns.extent(), value);
          else
            read_row<Stored>(array, array.data + offset + rows[y] * array.y_stride, along_x, origin,
                             columns, value, to);
        }
      }
    }
  });
}

template <class T>
void write_tile(FieldView<const T> tile, const FoldedArray<std::byte>& array, const Box& box,
                IntegerCast cast) {
  const Index width = tile.extent[2], stride = array.x_stride;
  const Index block = std::min(block_of(stride), std::max<Index>(1, width));
  with_type(array.element, [&]<class Stored>(Stored) {
    for (Index b = 0; b < tile.extent[0]; ++b) {
      std::byte* plane =
          array.row(box.first[0] + b, box.first[1]) + box.first[x_axis] * array.x_stride;
      for (Index x = 0; x < width; x += block)
        for (Index y = 0; y < tile.extent[1]; ++y)
          write_points<Stored>(&tile.at(b, y, x), plane + y * array.y_stride + x * stride, stride,
                               std::min(block, width - x), cast);
    }
  });
}

template void read_tile(const FoldedArray<const std::byte>&, const Box&, const Boundary&,
                        FieldView<float>);
template void read_tile(const FoldedArray<const std::byte>&, const Box&, const Boundary&,
                        FieldView<double>);
template void write_tile(FieldView<const float>, const FoldedArray<std::byte>&, const Box&,
                         IntegerCast);
template void write_tile(FieldView<const double>, const FoldedArray<std::byte>&, const Box&,
                         IntegerCast);

}  // namespace stencil
