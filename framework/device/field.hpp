#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "framework/device/executor.hpp"
#include "framework/grid/subdomain.hpp"

namespace stencil {

/// Window on memory in the normal form `[batch, y, x]`, row-major, x contiguous. Owns nothing; the
/// memory belongs to a Field (or a test's array) and must outlive it. `FieldView<const T>` reads.
template <class T>
struct FieldView {
  T* data = nullptr;      ///< element (0, 0, 0)
  Point extent{};         ///< points along batch, y, x
  Index batch_pitch = 0;  ///< elements from (b, y, x) to (b + 1, y, x)
  Index row_pitch = 0;    ///< elements from (b, y, x) to (b, y + 1, x)

  T& at(Index b, Index y, Index x) const { return data[b * batch_pitch + y * row_pitch + x]; }

  /// The part of the view inside `box` (local indices). @pre box lies inside the view
  FieldView window(const Box& box) const {
    if (box.empty()) return {data, {0, 0, 0}, batch_pitch, row_pitch};
    return {&at(box.first[0], box.first[1], box.first[2]), box.extent(), batch_pitch, row_pitch};
  }
  /// The same memory with the batch and y axes changed places: a mask along the batch axis becomes
  /// a mask along y.
  FieldView transposed_outer() const {
    return {data, {extent[1], extent[0], extent[2]}, row_pitch, batch_pitch};
  }
  operator FieldView<const T>() const requires(!std::is_const_v<T>) {
    return {data, extent, batch_pitch, row_pitch};
  }
};

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
