#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "framework/device/field.hpp"
#include "kernels/cuda/device_array.hpp"

namespace stencil::testing {

/// The positions of the points of a grid within its memory, in elements.
struct Placement {
  Index lead = 3;      ///< from the start of a row of memory to the first point
  Index trail = 4;     ///< at least this number of elements after the last point
  Index multiple = 1;  ///< the pitch of rows is a multiple of this: 64 bytes for rows of a Field
  bool batch_inside = false;  ///< in memory, batch is the middle axis and y the outermost
};

/// The same points in host and in GPU memory, with guards before, between and after the rows. A
/// comparison of two grids includes the guards.
template <class T>
class TwinGrid {
 public:
  TwinGrid(const Point& extent, T guard, const Placement& place)
      : extent_(extent), lead_(place.lead) {
    const Index row = (place.lead + extent[2] + place.trail + place.multiple - 1) / place.multiple *
                      place.multiple;
    row_pitch_ = place.batch_inside ? row * (extent[0] + 1) : row;
    batch_pitch_ = place.batch_inside ? row : row * (extent[1] + 2);
    const Index rows = (extent[0] + 2) * (extent[1] + 3);
    offset_ = row * place.multiple;  // keeps the alignment of the memory
    host.assign(std::size_t(rows * row + 2 * offset_ + 64), guard);
    device_ = std::make_unique<cuda::DeviceArray>(host.size() * sizeof(T));
  }

  FieldView<T> on_host() { return view(host.data()); }
  FieldView<T> on_device() { return view(static_cast<T*>(device_->data())); }
  void upload() { device_->upload(host.data()); }
  void download() { device_->download(host.data()); }

  /// Sets every point in host memory to `place(b, y, x)`.
  template <class Place>
  void set(const Place& place) {
    for (Index b = 0; b < extent_[0]; ++b)
      for (Index y = 0; y < extent_[1]; ++y)
        for (Index x = 0; x < extent_[2]; ++x) on_host().at(b, y, x) = T(place(b, y, x));
  }

  std::vector<T> host;

 private:
  FieldView<T> view(T* memory) const {
    return {memory + offset_ + lead_, extent_, batch_pitch_, row_pitch_};
  }

  Point extent_;
  Index lead_, row_pitch_ = 0, batch_pitch_ = 0, offset_ = 0;
  std::unique_ptr<cuda::DeviceArray> device_;
};

/// Compares everything in host memory bit by bit, including guards.
template <class T>
void expect_same(const TwinGrid<T>& expected, const TwinGrid<T>& found, const std::string& words) {
  if (std::memcmp(found.host.data(), expected.host.data(), found.host.size() * sizeof(T)) == 0)
    return;
  std::size_t differing = 0, first = 0;
  for (std::size_t k = found.host.size(); k-- > 0;)
    if (std::memcmp(&found.host[k], &expected.host[k], sizeof(T)) != 0) ++differing, first = k;
  ADD_FAILURE() << words << ": " << differing << " elements differ, first element " << first
                << ": expected " << expected.host[first] << " found " << found.host[first];
}

/// A list of numbers in GPU memory.
template <class T>
class DeviceList {
 public:
  explicit DeviceList(const std::vector<T>& values) {
    if (values.empty()) return;
    array_ = std::make_unique<cuda::DeviceArray>(values.size() * sizeof(T));
    array_->upload(values.data());
  }
  const T* data() const { return array_ ? static_cast<const T*>(array_->data()) : nullptr; }

 private:
  std::unique_ptr<cuda::DeviceArray> array_;
};

}  // namespace stencil::testing
