#include "kernels/bind/limits.hpp"

#include "kernels/cpu/limits.hpp"
#ifdef STENCIL_HAS_CUDA
#include "kernels/cuda/limits.hpp"
#endif

namespace stencil {

template <class T>
Limits measure_limits(const Executor& executor) {
  const auto plain = [](const auto& limits) {
    return Limits{limits.copy_bytes_per_second, limits.multiply_adds_per_second};
  };
#ifdef STENCIL_HAS_CUDA
  if (!executor.is_host()) return plain(cuda::measure_cuda_limits<T>());
#endif
  (void)executor;
  return plain(measure_cpu_limits<T>());
}

template Limits measure_limits<float>(const Executor&);
template Limits measure_limits<double>(const Executor&);

}  // namespace stencil
