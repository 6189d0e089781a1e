#pragma once

#include <hdf5.h>

namespace stencil::storage {

/// While it lives, HDF5 prints nothing for calls that fail; what it printed before is restored.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace stencil::storage
