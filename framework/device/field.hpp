#pragma once

#include <cstddef>

#include "framework/device/executor.hpp"
#include "framework/device/field_layout.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/subdomain.hpp"

namespace stencil {

/// The same window as a rectangle of bytes.
template <class T>
Rectangle rectangle_of(const FieldView<T>& view) {
  constexpr Index element = sizeof(T);
  return {reinterpret_cast<std::byte*>(view.data),
          view.extent,
          {view.batch_pitch * element, view.row_pitch * element, element}};
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
  FieldView<T> ghosted() const { return ghosted_; }
  /// The owned points only.
  FieldView<T> owned() const { return window(subdomain_.owned); }
  /// The points of a box given in global indices. @pre the box lies in subdomain().ghosted()
  FieldView<T> window(const Box& global) const {
    if (global.empty()) return ghosted_.window({});
    return ghosted_.window({subdomain_.local(global.first), subdomain_.local(global.last)});
  }

 private:
  Subdomain subdomain_;
  Memory memory_;
  FieldView<T> ghosted_;
};

}  // namespace stencil
