// Names of kernels for plans and reports.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/fft/cuda_fft.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// `line 17`, `dense 3x3`, `sparse 13 of 7x7`, `separable 9x9`, `sum of 2 separable 15x15`
template <class T>
std::string mask_name(const Stencil<T>& stencil, Index multiplied) {
  const Index height = stencil.height, width = stencil.width;
  const std::string sides = fmt::format("{}x{}", height, width);
  if (stencil.method == Method::separable)
    return stencil.terms > 1 ? fmt::format("sum of {} separable {}", stencil.terms, sides)
                             : "separable " + sides;
  if (multiplied < height * width) return fmt::format("sparse {} of {}", multiplied, sides);
  if (height == 1) return fmt::format("line {}", width);
  if (width == 1) return fmt::format("column {}", height);
  return "dense " + sides;
}

}  // namespace

template <class T>
std::string production_name(const Stencil<T>& stencil) {
  if (stencil.method == Method::fft) return fft_name(stencil);
  const KernelArguments<T> arguments = sweep_in_fields(stencil);
  if (const auto plain = plain_first(arguments, stencil)) return production_name(*plain);
  const Index zeros =
      arguments.skip_zeros ? std::count(stencil.taps.begin(), stencil.taps.end(), T(0)) : 0;
  const std::string mask = mask_name(stencil, stencil.height * stencil.width - zeros);
  const std::string trouble = prepare_production(stencil);
  if (trouble.empty() && !choose(arguments, stencil).is_generic()) {
    if (stencil.stride == std::array<Index, 2>{1, 1}) return "cuda " + mask;
    return fmt::format("cuda strided {} {} {}", stencil.stride[0], stencil.stride[1], mask);
  }
  const std::string name = "cuda point by point " + mask;
  if (!trouble.empty())
    return fmt::format("{}, as no faster kernel was compiled: {}", name, trouble);
  if (generated::can_generate() || !generated::may_generate()) return name;
  return name + ", as libnvrtc.so cannot be loaded to compile a faster kernel";
}

template std::string production_name(const Stencil<float>&);
template std::string production_name(const Stencil<double>&);

}  // namespace stencil::cuda
