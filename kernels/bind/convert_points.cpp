#include "kernels/bind/convert_points.hpp"

#include <algorithm>
#include <cstdint>

#ifdef STENCIL_HAS_CUDA
#include "kernels/cuda/convert.hpp"
#endif

namespace stencil {

template <class Stored, class T>
Index convert_points(Executor& executor, FieldView<const Stored> stored, FieldView<T> target,
                     const std::vector<Stored>& missing, T replacement) {
#ifdef STENCIL_HAS_CUDA
  if (auto* gpu = dynamic_cast<cuda::CudaExecutor*>(&executor))
    return cuda::convert(*gpu, stored, target, missing, replacement);
#endif
  (void)executor;
  Index found = 0;
  for (Index b = 0; b < target.extent[0]; ++b)
#pragma omp parallel for schedule(static) reduction(+ : found)
    for (Index y = 0; y < target.extent[1]; ++y)
      for (Index x = 0; x < target.extent[2]; ++x) {
        const Stored value = stored.at(b, y, x);
        const bool is_missing = std::find(missing.begin(), missing.end(), value) != missing.end();
        target.at(b, y, x) = is_missing ? replacement : static_cast<T>(value);
        found += is_missing;
      }
  return found;
}

#define STENCIL_INSTANTIATE(Stored)                                                    \
  template Index convert_points(Executor&, FieldView<const Stored>, FieldView<float>,  \
                                const std::vector<Stored>&, float);                    \
  template Index convert_points(Executor&, FieldView<const Stored>, FieldView<double>, \
                                const std::vector<Stored>&, double);
STENCIL_INSTANTIATE(std::int8_t)
STENCIL_INSTANTIATE(std::uint8_t)
STENCIL_INSTANTIATE(std::int16_t)
STENCIL_INSTANTIATE(std::uint16_t)
STENCIL_INSTANTIATE(std::int32_t)
STENCIL_INSTANTIATE(std::uint32_t)
STENCIL_INSTANTIATE(std::int64_t)
STENCIL_INSTANTIATE(std::uint64_t)
#undef STENCIL_INSTANTIATE

}  // namespace stencil
