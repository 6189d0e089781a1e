#include "framework/device/most_threads.hpp"

#include <unistd.h>

#include <algorithm>

namespace stencil {

int most_threads() {
  return 4 * static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace stencil
