#pragma once

#include <string>
#include <vector>

#include "kernels/method/method_costs.hpp"
#include "kernels/stencil.hpp"

namespace stencil {

/// One way to sum a mask, and its time for one output, expressed as the number of multiply-adds in
/// registers that take as long.
struct MethodCost {
  std::string method;  ///< as returned by to_string()
  double taps = 0;
};

/// The method that was chosen for a mask, and the reason.
struct MethodChoice {
  Method method = Method::direct;
  Mask mask;             ///< the mask; its factors are set if the method is separable
  double error = 0;      ///< reconstruction_error() of the factors; 0 for other methods
  std::string reason{};  ///< `rank 1 within 1e-17 of the mask, 10 instead of 25 taps a point`
  FftBlocks blocks{};    ///< fft, 1D masks: blocks of the axis
  FftTiles tiles{};      ///< fft, 2D masks: tiles of the axes
  /// For Method::fft: number of multiply-adds in registers that take as long as one output.
  double fft_taps = 0;
  WayWork work{};  ///< amounts of work on the world for which the method was chosen

  std::vector<MethodCost> costs{};  ///< the methods that were compared, if the choice was automatic

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
