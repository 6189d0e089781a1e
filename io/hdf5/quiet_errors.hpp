#pragma once

#include <hdf5.h>

namespace stencil::storage {

/// While an object of this class exists, HDF5 does not print its error stack when a call fails; the
/// destructor restores printing.
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
