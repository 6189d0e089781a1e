#include <cstdio>

#include "drivers/stencil_bench/strategies.hpp"
#include "framework/grid/error.hpp"

namespace stencil::bench {

int compare_strategies(const std::vector<std::string>&) {
  std::fputs(
      "stencil_bench strategies needs a GPU and this build is for CPUs only: build with "
      "nvcc and STENCIL_CUDA=ON\n",
      stderr);
  return static_cast<int>(Status::machine);
}

}  // namespace stencil::bench
