#include "framework/parallel/gather_field.hpp"

#include <algorithm>
#include <array>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr Index most_bytes = Index{1} << 30;  // number of bytes of one message; MPI counts are int
constexpr int tag = 0;

/// First and last point of a box, as sent in a message.
using Bounds = std::array<Index, 2 * axes>;

Bounds bounds_of(const Box& box) {
  Bounds bounds{};
  if (box.empty()) return bounds;
  std::copy(box.first.begin(), box.first.end(), bounds.begin());
  std::copy(box.last.begin(), box.last.end(), bounds.begin() + axes);
  return bounds;
}

Box box_of(const Bounds& bounds) {
  return {{bounds[0], bounds[1], bounds[2]}, {bounds[3], bounds[4], bounds[5]}};
}

/// Copies the owned points to host memory, row-major without gaps.
template <class T>
std::vector<T> dense_copy(const Field<T>& field, Executor& executor) {
  const Point extent = field.owned().extent;
  std::vector<T> values(static_cast<std::size_t>(points(extent)));
  if (values.empty()) return values;
  const FieldView<T> dense{values.data(), extent, extent[1] * extent[2], extent[2]};
  executor.download(rectangle_of(field.owned()), rectangle_of(dense), sizeof(T));
  return values;
}

template <class T>
void copy_into(const std::vector<T>& values, const Box& box, const Point& shape,
               std::vector<T>& all) {
  const T* row = values.data();
  const Index width = box.along(x_axis).extent();
  for (Index b = box.first[0]; b < box.last[0]; ++b)
    for (Index y = box.first[1]; y < box.last[1]; ++y, row += width)
      std::copy_n(row, width, all.data() + (b * shape[1] + y) * shape[2] + box.first[2]);
}

/// Checks that the blocks of all ranks together form the world, without gaps and without points
/// outside the world.
void require_whole(const std::vector<Bounds>& bounds, const Point& shape) {
  Index count = 0;
  for (const Bounds& each : bounds) {
    const Box box = box_of(each);
    if (!box.empty() && !make_box(shape).contains(box))
      throw ShapeError("cannot gather " + to_string(box) + " into a world of " + to_string(shape));
    count = checked_add(count, box.points());
  }
  if (count != points(shape))
    throw ShapeError("the blocks of a field have " + std::to_string(count) +
                     " points, and the world of " + to_string(shape) + " that they are gathered " +
                     "into has " + std::to_string(points(shape)));
}

/// Calls message(first byte, number of bytes) for each of the messages in which a block of points
/// is sent.
template <class T, class Message>
void in_messages(std::vector<T>& values, const Message& message) {
  auto* bytes = reinterpret_cast<std::byte*>(values.data());
  const auto size = static_cast<Index>(values.size() * sizeof(T));
  for (Index at = 0; at < size; at += most_bytes)
    message(bytes + at, static_cast<int>(std::min(most_bytes, size - at)));
}

}  // namespace

template <class T>
std::vector<T> gather_field(const Communicator& communicator, const Field<T>& field,
                            Executor& executor, const Point& shape, int root) {
  const bool is_root = communicator.rank() == root;
  const Bounds own = bounds_of(field.subdomain().owned);
  std::vector<Bounds> bounds(is_root ? static_cast<std::size_t>(communicator.size()) : 0);
  MPI_Gather(own.data(), own.size(), MPI_INT64_T, bounds.data(), own.size(), MPI_INT64_T, root,
             communicator.handle());
  std::vector<T> values, all;
  std::vector<T> received;
  communicator.agree([&] {
    if (field.was_moved())
      throw UsageError("cannot gather a field that was moved from: gather the one it was moved to");
    values = dense_copy(field, executor);
    if (!is_root) return;
    require_whole(bounds, shape);
    all.resize(static_cast<std::size_t>(points(shape)));
    Index most = 0;
    for (const Bounds& each : bounds) most = std::max(most, box_of(each).points());
    received.reserve(static_cast<std::size_t>(most));
  });
  if (!is_root) {
    in_messages(values, [&](std::byte* at, int bytes) {
      MPI_Send(at, bytes, MPI_BYTE, root, tag, communicator.handle());
    });
    return {};
  }
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const Box box = box_of(bounds[static_cast<std::size_t>(rank)]);
    if (rank == root) {
      copy_into(values, box, shape, all);
      continue;
    }
    received.resize(static_cast<std::size_t>(box.points()));
    in_messages(received, [&](std::byte* at, int bytes) {
      MPI_Recv(at, bytes, MPI_BYTE, rank, tag, communicator.handle(), MPI_STATUS_IGNORE);
    });
    copy_into(received, box, shape, all);
  }
  return all;
}

template std::vector<float> gather_field(const Communicator&, const Field<float>&, Executor&,
                                         const Point&, int);
template std::vector<double> gather_field(const Communicator&, const Field<double>&, Executor&,
                                          const Point&, int);

}  // namespace stencil
