#include "drivers/job/run/window_work.hpp"

#include <algorithm>

#include "drivers/plan/split/window_memory.hpp"
#include "framework/device/field.hpp"

namespace stencil {

template <class T>
WindowWork<T>::WindowWork(const Executor& executor, const Plan& plan, WindowInput<T>& input,
                          StationClock& clock)
    : plan_(plan),
      input_(input),
      clock_(clock),
      executor_(executor.sibling()),
      pipeline_(*executor_, plan.chain, plan.windows()->axis) {}

template <class T>
FieldView<const T> WindowWork<T>::compute(const Interval& outputs) {
  FieldView<T> points{};
  clock_.time(Station::compute, [&] {
    points = pipeline_.run(outputs, [&](const Box& part, FieldView<T> to) {
      clock_.time_within(Station::compute, Station::read, [&] { read(part, to); });
    });
    if (!executor_->is_host()) {
      const FieldView<T> here = as_dense(points.extent);  // reuses the memory of the inputs
      executor_->download(rectangle_of(points), rectangle_of(here), sizeof(T));
      points = here;
    }
    Box box = make_box(plan_.chain.output_shape());
    box.set(plan_.windows()->axis, outputs);
    input_.keep_missing(box, points);
  });
  return points;
}

template <class T>
FieldView<T> WindowWork<T>::as_dense(const Point& extent) {
  const Index wanted = points(extent);
  if (wanted > pinned_points_) {
    pinned_ = {};
    pinned_points_ = std::max(wanted, most_points_in_transfer(plan_, *plan_.windows()));
    pinned_ = executor_->allocate_shared(static_cast<std::size_t>(pinned_points_) * sizeof(T));
  }
  return {reinterpret_cast<T*>(pinned_.get()), extent, extent[1] * extent[2], extent[2]};
}

template <class T>
void WindowWork<T>::read(const Box& part, FieldView<T> to) {
  if (executor_->is_host()) return input_.read(part, to);
  const FieldView<T> here = as_dense(to.extent);
  input_.read(part, here);
  executor_->upload(rectangle_of(here), rectangle_of(to), sizeof(T));
}

template class WindowWork<float>;
template class WindowWork<double>;

}  // namespace stencil
