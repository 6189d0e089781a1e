#include "framework/device/cpu/parallel_for.hpp"

namespace stencil {

void parallel_for(Index count, const std::function<void(Index)>& body) {
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < count; ++i) body(i);
}

}  // namespace stencil
