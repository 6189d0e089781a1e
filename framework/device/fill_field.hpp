#pragma once

#include "framework/device/field.hpp"

namespace stencil {

/// Sets `count` points of one row of a field. The first of these points has the global indices
/// `first`.
/// @param context  the pointer that was passed to fill_rows()
template <class T>
using SetRow = void(const void* context, const Point& first, Index count, T* row);

/// Calls `set` for every row of a field's owned points, see fill_field().
template <class T>
void fill_rows(Field<T>& field, Executor& executor, SetRow<T>* set, const void* context);

extern template void fill_rows(Field<float>&, Executor&, SetRow<float>*, const void*);
extern template void fill_rows(Field<double>&, Executor&, SetRow<double>*, const void*);

/// Sets every owned point of a field to a function of its global indices. The threads of the host
/// compute the values. If the field is in device memory, the values are computed in host memory and
/// then copied to the device. All points are set when the function returns.
///
/// @param value_at  called as value_at(batch, y, x), by several threads at once; must not throw
/// @throws MemoryError  no host memory for the copy
template <class T, class ValueAt>
void fill_field(Field<T>& field, Executor& executor, const ValueAt& value_at) {
  const auto call = [&](Index b, Index y, Index x) { return static_cast<T>(value_at(b, y, x)); };
  const auto set = [](const void* context, const Point& first, Index count, T* row) {
    const auto& value = *static_cast<const decltype(call)*>(context);
    for (Index x = 0; x < count; ++x) row[x] = value(first[0], first[1], first[2] + x);
  };
  fill_rows<T>(field, executor, set, &call);
}

}  // namespace stencil
