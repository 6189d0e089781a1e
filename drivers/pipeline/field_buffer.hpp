#pragma once

#include <cstddef>

#include "framework/device/executor.hpp"
#include "framework/device/field.hpp"
#include "framework/device/field_layout.hpp"

namespace stencil {

/// Memory for one field at a time. New memory is allocated only if a field is larger than all
/// previous fields.
class FieldBuffer {
 public:
  /// Returns an uninitialised field, which is valid until the next call.
  /// @throws MemoryError  the memory is insufficient
  template <class T>
  Field<T> field(Executor& executor, const Subdomain& subdomain) {
    const FieldLayout layout = FieldLayout::of(subdomain, sizeof(T));
    if (layout.bytes > bytes_) {
      memory_ = {};
      bytes_ = 0;
      memory_ = executor.allocate(layout.bytes);
      bytes_ = layout.bytes;
    }
    const Point extent = subdomain.local_extent();
    return Field<T>::adopt(subdomain, {reinterpret_cast<T*>(memory_.get() + layout.offset), extent,
                                       layout.row_pitch * extent[1], layout.row_pitch});
  }

 private:
  Memory memory_;
  std::size_t bytes_ = 0;
};

}  // namespace stencil
