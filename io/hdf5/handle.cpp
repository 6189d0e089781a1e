#include "io/hdf5/handle.hpp"

#include <atomic>

namespace stencil::storage {
namespace {

std::atomic<long> failures{0};

}  // namespace

long failed_closes() {
  return failures;
}

Handle::~Handle() {
  // A file closed by a destructor was opened read-only, or is abandoned after an error.
  if (close() < 0 && close_ != H5Fclose) ++failures;
}

}  // namespace stencil::storage
