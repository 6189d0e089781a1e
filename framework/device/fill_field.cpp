#include "framework/device/fill_field.hpp"

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/cpu/parallel_for.hpp"

namespace stencil {

template <class T>
void fill_rows(Field<T>& field, Executor& executor, SetRow<T>* set, const void* context) {
  const Box owned = field.subdomain().owned;
  const auto set_all = [&](const FieldView<T>& view) {
    parallel_for(view.extent[0] * view.extent[1], [&](Index row) {
      const Index b = row / view.extent[1], y = row % view.extent[1];
      set(context, {owned.first[0] + b, owned.first[1] + y, owned.first[2]}, view.extent[2],
          &view.at(b, y, 0));
    });
  };
  if (executor.is_host()) return set_all(field.owned());
  CpuExecutor host;
  Field<T> copy(host, {owned, {}});
  set_all(copy.owned());
  executor.upload(rectangle_of(copy.owned()), rectangle_of(field.owned()), sizeof(T));
}

template void fill_rows(Field<float>&, Executor&, SetRow<float>*, const void*);
template void fill_rows(Field<double>&, Executor&, SetRow<double>*, const void*);

}  // namespace stencil
