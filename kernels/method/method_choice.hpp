#pragma once

#include <string>
#include <vector>

#include "kernels/method/method_costs.hpp"
#include "kernels/stencil.hpp"

namespace stencil {

/// One way to sum a mask, and the multiply-adds in registers that take as long for one output.
struct MethodCost {
  std::string method;  ///< as to_string writes it
  double taps = 0;
};

/// The method that was chosen for a mask, and the reason.
struct MethodChoice {
  Method method = Method::direct;
  Mask mask;             ///< the mask with factors filled in where method is separable
  double error = 0;      ///< largest |factors - tap| over the largest |tap|; 0 for direct
  std::string reason{};  ///< `rank 1 within 1e-17 of the mask, 10 instead of 25 taps a point`
  FftBlocks blocks{};    ///< fft, 1D masks: how the axis is cut
  FftTiles tiles{};      ///< fft, 2D masks: how the axes are cut
  double fft_taps = 0;   ///< fft: multiply-adds in registers that take as long as one output
  WayWork work{};        ///< what it does on the world it was chosen for

  std::vector<MethodCost> costs{};  ///< automatic: the ways that were compared

  /// Returns the number of terms (column times row) that are summed, or 0 if the method is not
  /// separable.
  Index separable_terms() const {
    return method == Method::separable && mask.factors ? mask.factors->terms : 0;
  }
};

/// `direct`, `separable` or `fft`
std::string to_string(Method method);

/// Returns the name of the chosen method, with the number of terms if there are several: `sum of 2
/// separable`.
std::string to_string(const MethodChoice& choice);

/// Returns the direct sum of a mask.
MethodChoice direct_sum(const Mask& mask, std::string reason);

}  // namespace stencil
