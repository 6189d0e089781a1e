#pragma once

#include <array>

#include "framework/device/backend.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Properties of the problem that determine the method. They describe the whole world, so that the
/// choice does not depend on the number of ranks.
struct MethodSite {
  Index axis_outputs =
      0;  ///< outputs along the mask's axis; if 0, unknown, and fft is used only on request
  std::array<Index, 2> stride{1, 1};  ///< {y, x}, in the axes of the stored mask
  Index lines = 1;                    ///< number of lines along the mask's axis
  Index steps = 1;                    ///< number of times that the mask is applied
  bool renormalizes = false;          ///< whether missing points are left out
  Backend backend = Backend::cpu;     ///< backend that computes: cpu or cuda
  /// Size of the whole problem, in outputs before striding. If its `outputs` are 0, the size is
  /// unknown, and 2D masks are transformed only if requested.
  FftTileWorld world{};

  bool on_gpu() const { return backend == Backend::cuda; }
  /// Returns whether sums of several separable masks are fast with strides.
  bool has_strided_sums() const { return !on_gpu(); }
  /// Returns whether transforms can leave missing points out.
  bool fft_renormalizes() const { return !on_gpu(); }
};

/// The numbers of outputs of a world, after striding, along the axes of the kernels.
struct OutputsGrid {
  Index batch = 1, rows = 1, columns = 1;

  double outputs() const { return double(batch) * double(rows) * double(columns); }
};

/// Returns the numbers of outputs of a whole world under a mask with these taps.
OutputsGrid grid_of(const Taps& taps, const MethodSite& site);

/// Number of taps that the direct sum multiplies per output.
Index direct_taps(const Mask& mask);

}  // namespace stencil
