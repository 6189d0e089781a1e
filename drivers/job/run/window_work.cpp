#include "drivers/job/run/window_work.hpp"

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
      const FieldView<T> here = outputs_.as_dense(*executor_, points.extent);
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
FieldView<T> WindowWork<T>::Staging::as_dense(Executor& executor, const Point& extent) {
  const auto wanted = static_cast<std::size_t>(points(extent)) * sizeof(T);
  if (wanted > bytes) {
    memory = {};
    bytes = 0;
    memory = executor.allocate_shared(wanted);
    bytes = wanted;
  }
  return {reinterpret_cast<T*>(memory.get()), extent, extent[1] * extent[2], extent[2]};
}

template <class T>
void WindowWork<T>::read(const Box& part, FieldView<T> to) {
  if (executor_->is_host()) return input_.read(part, to);
  const FieldView<T> here = inputs_.as_dense(*executor_, to.extent);
  input_.read(part, here);
  executor_->upload(rectangle_of(here), rectangle_of(to), sizeof(T));
}

template class WindowWork<float>;
template class WindowWork<double>;

}  // namespace stencil
