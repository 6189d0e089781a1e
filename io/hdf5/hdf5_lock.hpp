#pragma once

#include <mutex>

namespace stencil::storage {

/// Keeps other threads out of the HDF5 library, which is not thread-safe here, while it lives. Held
/// around every call that may run while datasets are read from several threads, up to the reading
/// of HDF5's error stack; the same thread may take it again.
class Hdf5Lock {
 public:
  Hdf5Lock() : guard_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }
  std::lock_guard<std::recursive_mutex> guard_;
};

}  // namespace stencil::storage
