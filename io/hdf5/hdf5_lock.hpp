#pragma once

#include <mutex>

namespace stencil::storage {

/// While an object of this class exists, other threads cannot call the HDF5 library, which is not
/// thread-safe in this build. An object must exist during every call that can run while several
/// threads read datasets, and until HDF5's error stack has been read. A thread may create several
/// objects.
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
