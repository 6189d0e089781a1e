// Names of kernels for plans and reports.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/fft/cuda_fft.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/cuda/production/volume_choice.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// Returns the name of a mask: `line 17`, `dense 3x3`, `sparse 13 of 7x7`, `separable 9x9`, `sum of
/// 2 separable 15x15`.
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

/// Returns the reason why a kernel that is compiled ahead is used, as the end of a name. `trouble`
/// is the reason given by prepare_production.
std::string reason_of_slow_kernel(const std::string& trouble) {
  if (!trouble.empty()) return ", as no faster kernel was compiled: " + trouble;
  if (generated::can_generate() || !generated::may_generate()) return "";
  return ", as libnvrtc.so cannot be loaded to compile a faster kernel";
}

/// Returns the name of a mask of three axes: `volume 7 of 3x3x3`, `separable volume 9x9x9`, `sum of
/// 3 separable volumes 9x9x9`.
template <class T>
std::string volume_name(const Stencil<T>& stencil) {
  const std::string sides = fmt::format("{}x{}x{}", stencil.depth, stencil.height, stencil.width);
  if (stencil.method == Method::separable)
    return stencil.terms > 1
               ? fmt::format("cuda sum of {} separable volumes {}", stencil.terms, sides)
               : "cuda separable volume " + sides;
  const Index all = Index(stencil.taps.size());
  const Index zeros =
      skips_zeros(stencil) ? std::count(stencil.taps.begin(), stencil.taps.end(), T(0)) : 0;
  const std::string mask = zeros > 0 ? fmt::format("volume {} of {}", all - zeros, sides)
                                     : fmt::format("volume {}", sides);
  const std::string trouble = prepare_production(stencil);
  if (trouble.empty() && has_volume_kernel(volume_in_fields(stencil), stencil))
    return "cuda " + mask;
  return "cuda point by point " + mask + reason_of_slow_kernel(trouble);
}

}  // namespace

template <class T>
std::string production_name(const Stencil<T>& stencil) {
  if (stencil.method == Method::fft) return fft_name(stencil);
  if (stencil.depth > 1) return volume_name(stencil);
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
  return "cuda point by point " + mask + reason_of_slow_kernel(trouble);
}

template std::string production_name(const Stencil<float>&);
template std::string production_name(const Stencil<double>&);

}  // namespace stencil::cuda
