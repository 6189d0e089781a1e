#include "kernels/cuda/fft/uploaded_twiddles.hpp"

#include "kernels/cuda/uploaded.hpp"

namespace stencil::cuda {

template <class T>
Memory uploaded_twiddles(CudaExecutor& executor, const std::vector<T>& twiddles,
                         const std::vector<int>& radices, Index points) {
  std::vector<T> rows;
  auto from = twiddles.begin();
  Index part = points;
  for (std::size_t pass = 0; pass + 1 < radices.size(); ++pass) {
    const int radix = radices[pass];
    part /= radix;
    for (Index j = 0; j < part; ++j) {
      rows.insert(rows.end(), {T(1), T(0)});
      rows.insert(rows.end(), from, from + 2 * (radix - 1));
      from += 2 * (radix - 1);
    }
  }
  return uploaded(executor, rows);
}

template Memory uploaded_twiddles(CudaExecutor&, const std::vector<float>&, const std::vector<int>&,
                                  Index);
template Memory uploaded_twiddles(CudaExecutor&, const std::vector<double>&,
                                  const std::vector<int>&, Index);

}  // namespace stencil::cuda
