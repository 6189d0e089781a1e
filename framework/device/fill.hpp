#pragma once

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/cpu/parallel_for.hpp"
#include "framework/device/field.hpp"

namespace stencil {

/// Sets every owned point of a field to a function of its global indices, computed by the host's
/// threads; done when it returns. To a device the points travel by way of a copy in host memory.
///
/// @param value_at  called as value_at(batch, y, x), by several threads at once; must not throw
/// @throws MemoryError  no host memory for the copy
template <class T, class ValueAt>
void fill(Field<T>& field, Executor& executor, const ValueAt& value_at) {
  const Box owned = field.subdomain().owned;
  const auto set = [&](const FieldView<T>& view) {
    parallel_for(view.extent[0] * view.extent[1], [&](Index row) {
      const Index b = row / view.extent[1], y = row % view.extent[1];
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) =
            static_cast<T>(value_at(owned.first[0] + b, owned.first[1] + y, owned.first[2] + x));
    });
  };
  if (executor.is_host()) return set(field.owned());
  CpuExecutor host;
  Field<T> copy(host, {owned, {}});
  set(copy.owned());
  executor.upload(rectangle_of(copy.owned()), rectangle_of(field.owned()), sizeof(T));
}

}  // namespace stencil
