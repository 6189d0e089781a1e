#pragma once

#include <array>

#include "framework/device/backend.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// The properties of the problem that decide the method. They describe the whole world, so that the
/// number of ranks does not change the choice.
struct MethodSite {
  Index axis_outputs = 0;  ///< along the mask's axis; 0: unknown, and fft only if asked for
  std::array<Index, 2> stride{1, 1};  ///< {y, x}, as the mask is stored
  Index lines = 1;                    ///< that the mask runs along
  Index steps = 1;                    ///< how often it is applied
  bool renormalizes = false;          ///< missing points are left out
  Backend backend = Backend::cpu;     ///< that computes: cpu or cuda
  /// Before striding; without outputs: unknown, and transforms of 2D masks only if asked for.
  FftTileWorld world{};

  bool on_gpu() const { return backend == Backend::cuda; }
  /// Whether sums of several separable masks are fast with strides.
  bool has_strided_sums() const { return !on_gpu(); }
  /// Whether transforms can leave missing points out.
  bool fft_renormalizes() const { return !on_gpu(); }
};

/// The outputs of a world, after striding, as the kernels see them.
struct OutputsGrid {
  Index batch = 1, rows = 1, columns = 1;

  double outputs() const { return double(batch) * double(rows) * double(columns); }
};

/// The outputs of a whole world under a mask with these taps.
OutputsGrid grid_of(const Taps& taps, const MethodSite& site);

/// Taps that the direct sum multiplies for one output.
Index direct_taps(const Mask& mask);

}  // namespace stencil
