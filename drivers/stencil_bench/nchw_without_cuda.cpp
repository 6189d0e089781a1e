#include "drivers/stencil_bench/nchw_gpu.hpp"

namespace stencil::bench {

bool have_nchw_gpu() {
  return false;
}

bool compare_nchw_on_gpu() {
  return false;
}

}  // namespace stencil::bench
