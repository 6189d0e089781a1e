#include "drivers/job/transfer/window_input.hpp"

#include <algorithm>

namespace stencil {

Interval share_of(Index count, int rank, int ranks) {
  const auto border = [&](Index r) {
    return count / ranks * r + std::min<Index>(count % ranks, r);
  };
  return {border(rank), border(rank + 1)};
}

template <class T>
WindowInput<T>::WindowInput(const Plan& plan, int rank, int ranks)
    : input_(plan.input, plan.windows()->kept_chunk_bytes),
      plan_(plan),
      axis_(plan.windows()->axis),
      share_(share_of(plan.input_form.shape()[axis_], rank, ranks)),
      is_looked_at_(uses_transforms(plan)),
      scale_(mixed_channels(plan)) {
  if (plan.kept) kept_.emplace(plan);
}

template <class T>
void WindowInput<T>::read(const Box& box, FieldView<T> points) {
  if (!plan_.missing)
    input_.read<T>(plan_.input_form, box, points, plan_.missing);
  else
    read_and_count(box, points);
  if (is_looked_at_) scale_.add<T>(points);
}

template <class T>
void WindowInput<T>::count_the_rest(Index at_a_time) {
  if (!plan_.missing) return;
  Box box = make_box(plan_.input_form.shape());
  for (const Interval& rest : counted_.missing_in(share_))
    for (Index at = rest.first; at < rest.last; at += at_a_time) {
      box.set(axis_, {at, std::min(rest.last, at + at_a_time)});
      const Point extent = box.extent();
      std::vector<T> points(static_cast<std::size_t>(stencil::points(extent)));
      read(box, {points.data(), extent, extent[1] * extent[2], extent[2]});
    }
}

template <class T>
void WindowInput<T>::read_and_count(const Box& box, FieldView<T> points) {
  const Interval all = box.along(axis_);
  Index at = all.first;
  const auto read_until = [&](Index end, bool counts) {
    if (end <= at) return;
    Box part = box, local = make_box(points.extent);
    part.set(axis_, {at, end});
    local.set(axis_, {at - all.first, end - all.first});
    const Index found = input_.read<T>(plan_.input_form, part, points.window(local), plan_.missing);
    if (counts) missing_ += found;
    at = end;
  };
  for (const Interval& part : not_counted_before(intersect(all, share_))) {
    read_until(part.first, false);
    read_until(part.last, true);
  }
  read_until(all.last, false);
}

template <class T>
std::vector<Interval> WindowInput<T>::not_counted_before(const Interval& read) {
  const std::lock_guard lock(mutex_);
  return counted_.add(read);
}

template class WindowInput<float>;
template class WindowInput<double>;

}  // namespace stencil
