#include "framework/parallel/reduce_field.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "framework/grid/error.hpp"
#include "framework/grid/exact_sum.hpp"

namespace stencil {
namespace {

constexpr Index most_bytes = Index{64} << 20;  // size of a host copy of points in device memory

/// Calls row(thread, points, count) for every row of a view, from several threads.
template <class T, class Row>
void for_each_row(const FieldView<const T>& view, const Row& row) {
  const Index rows = view.extent[0] * view.extent[1];
#pragma omp parallel for schedule(static)
  for (Index r = 0; r < rows; ++r)
    row(omp_get_thread_num(), &view.at(r / view.extent[1], r % view.extent[1], 0), view.extent[2]);
}

/// Calls row(thread, points, count) for every row of the owned points of a field. Points in device
/// memory are copied to the host, several rows at a time.
template <class T, class Row>
void for_each_owned_row(const Field<T>& field, Executor& executor, const Row& row) {
  if (field.was_moved())
    throw UsageError("a reduction of a field that was moved from: use the one it was moved to");
  const FieldView<const T> owned = field.owned();
  if (points(owned.extent) == 0) return;
  if (executor.is_host()) return for_each_row<T>(owned, row);
  const auto [batches, rows, columns] = owned.extent;
  const Index most = std::clamp<Index>(most_bytes / (columns * Index{sizeof(T)}), Index{1}, rows);
  std::vector<T> copy(static_cast<std::size_t>(most * columns));
  for (Index b = 0; b < batches; ++b)
    for (Index y = 0; y < rows; y += most) {
      const Index last = std::min(rows, y + most);
      const FieldView<T> dense{copy.data(), {1, last - y, columns}, most * columns, columns};
      executor.download(rectangle_of(owned.window({{b, y, 0}, {b + 1, last, columns}})),
                        rectangle_of(dense), sizeof(T));
      for_each_row<T>(dense, row);
    }
}

/// The partial sum of one thread, aligned to avoid false sharing of cache lines.
struct alignas(128) ThreadSum {
  ExactSum sum;
};

/// Returns the sum over all points of all ranks. @param add  adds a point to a sum
template <class T, class Add>
double exact_sum(const Communicator& communicator, const Field<T>& field, Executor& executor,
                 const Add& add) {
  ExactSum all;
  communicator.agree([&] {
    std::vector<ThreadSum> sums(static_cast<std::size_t>(omp_get_max_threads()));
    for_each_owned_row(field, executor, [&](int thread, const T* row, Index count) {
      ExactSum& sum = sums[static_cast<std::size_t>(thread)].sum;
      for (Index x = 0; x < count; ++x) add(sum, static_cast<double>(row[x]));
    });
    for (const ThreadSum& each : sums) all.add(each.sum);
  });
  std::array<Index, ExactSum::words> words = all.normalized();
  MPI_Allreduce(MPI_IN_PLACE, words.data(), ExactSum::words, MPI_INT64_T, MPI_SUM,
                communicator.handle());
  all.set(words);
  return all.value();
}

/// Returns the largest point if `sign` is 1, the smallest point if `sign` is -1; NaN if any point
/// is NaN.
template <class T>
double largest(const Communicator& communicator, const Field<T>& field, Executor& executor,
               double sign) {
  struct alignas(128) Found {
    double most = -std::numeric_limits<double>::infinity();
    bool has_nan = false;
  };
  Found all;
  communicator.agree([&] {
    std::vector<Found> found(static_cast<std::size_t>(omp_get_max_threads()));
    for_each_owned_row(field, executor, [&](int thread, const T* row, Index count) {
      Found& own = found[static_cast<std::size_t>(thread)];
      for (Index x = 0; x < count; ++x) {
        const double value = sign * static_cast<double>(row[x]);
        own.has_nan = own.has_nan || std::isnan(value);
        own.most = std::max(own.most, value);
      }
    });
    for (const Found& each : found) {
      all.most = std::max(all.most, each.most);
      all.has_nan = all.has_nan || each.has_nan;
    }
  });
  const double most = communicator.maximum(all.most);
  const bool has_nan = communicator.maximum(Index{all.has_nan}) == 1;
  // + 0.0 removes the sign of a zero, which would depend on the order of the points
  return has_nan ? std::numeric_limits<double>::quiet_NaN() : sign * most + 0.0;
}

}  // namespace

template <class T>
double sum_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor) {
  return exact_sum(communicator, field, executor,
                   [](ExactSum& sum, double value) { sum.add(value); });
}

template <class T>
double norm_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor) {
  return std::sqrt(exact_sum(communicator, field, executor,
                             [](ExactSum& sum, double value) { sum.add_square(value); }));
}

template <class T>
double max_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor) {
  return largest(communicator, field, executor, 1);
}

template <class T>
double min_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor) {
  return largest(communicator, field, executor, -1);
}

template double sum_of_field(const Communicator&, const Field<float>&, Executor&);
template double sum_of_field(const Communicator&, const Field<double>&, Executor&);
template double norm_of_field(const Communicator&, const Field<float>&, Executor&);
template double norm_of_field(const Communicator&, const Field<double>&, Executor&);
template double max_of_field(const Communicator&, const Field<float>&, Executor&);
template double max_of_field(const Communicator&, const Field<double>&, Executor&);
template double min_of_field(const Communicator&, const Field<float>&, Executor&);
template double min_of_field(const Communicator&, const Field<double>&, Executor&);

}  // namespace stencil
