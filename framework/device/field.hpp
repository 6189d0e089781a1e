#pragma once

#include <cstddef>
#include <type_traits>

#include "framework/device/executor.hpp"
#include "framework/device/field_layout.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/subdomain.hpp"

namespace stencil {

/// The same window as a rectangle of bytes: a ConstRectangle of a `FieldView<const T>`.
template <class T>
auto rectangle_of(const FieldView<T>& view) {
  constexpr Index element = sizeof(T);
  const Point stride{view.batch_pitch * element, view.row_pitch * element, element};
  if constexpr (std::is_const_v<T>)
    return ConstRectangle{reinterpret_cast<const std::byte*>(view.data), view.extent, stride};
  else
    return Rectangle{reinterpret_cast<std::byte*>(view.data), view.extent, stride};
}

/// Storage of one subdomain with its ghosts. Rows are padded to 64 bytes and the first owned point
/// of a row is aligned to 64 bytes. Not initialised: ghosts are valid after a HaloExchange.
template <class T>
class Field {
 public:
  /// @throws MachineError  not enough memory; the message names the bytes asked for.
  Field(Executor& executor, const Subdomain& subdomain) : subdomain_(subdomain) {
    const Point extent = subdomain.local_extent();
    const FieldLayout layout = FieldLayout::of(subdomain, sizeof(T));
    memory_ = executor.allocate(layout.bytes);
    ghosted_ = {reinterpret_cast<T*>(memory_.get() + layout.offset), extent,
                layout.row_pitch * extent[1], layout.row_pitch};
  }

  const Subdomain& subdomain() const { return subdomain_; }
  /// All points, ghosts included: local index = global index - owned.first + halo.low.
  FieldView<T> ghosted() { return ghosted_; }
  FieldView<const T> ghosted() const { return ghosted_; }
  /// The owned points only.
  FieldView<T> owned() { return window(subdomain_.owned); }
  FieldView<const T> owned() const { return window(subdomain_.owned); }
  /// The points of a box given in global indices. @pre the box lies in subdomain().ghosted()
  FieldView<T> window(const Box& global) { return ghosted_.window(local(global)); }
  FieldView<const T> window(const Box& global) const { return ghosted_.window(local(global)); }

 private:
  Box local(const Box& global) const {
    if (global.empty()) return {};
    return {subdomain_.local(global.first), subdomain_.local(global.last)};
  }

  Subdomain subdomain_;
  Memory memory_;
  FieldView<T> ghosted_;
};

}  // namespace stencil
