#pragma once

#include <cstddef>

#include "tests/kernels/grid_data.hpp"

namespace stencil::testing {

/// Why no kernel can run here; empty where one can.
std::string no_gpu();

/// Waits for all work on the device. @throws std::runtime_error  some of it failed
void wait_for_device();

/// An array in device memory, copied from a host array of the same size.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& host);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  void copy_to(std::vector<T>& host) const;

 private:
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The whole array of a Grid, guards too, in device memory.
template <class T>
class DeviceGrid {
 public:
  explicit DeviceGrid(Grid<T>& host) : host_(host), array_(host.storage()) {}

  FieldView<T> view() const {
    FieldView<T> view = host_.view();
    view.data = array_.data() + (view.data - host_.storage().data());
    return view;
  }
  /// Waits for the device and brings all elements back into the host's grid.
  void copy_back() const {
    wait_for_device();
    array_.copy_to(host_.storage());
  }

 private:
  Grid<T>& host_;
  DeviceArray<T> array_;
};

}  // namespace stencil::testing
