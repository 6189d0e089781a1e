#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/fft_plan.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// How the sum over a mask is walked.
enum class Method {
  direct,     ///< every tap of the mask, in row-major order
  separable,  ///< rows with the row factor, then columns with the column factor; several of these
  fft,        ///< 1D masks: overlap-save, by blocks that are anchored to the whole axis
};

/// What a kernel computes, the same for every processor; what differs between processors is the
/// walk. All sums start from +0 and add taps in the order given with one fused multiply-add per
/// tap, so the bits of an output do not depend on tiles, threads, vector width or the size of the
/// view. Every NaN written is the same quiet NaN. Separable sums add the row, then the column. A
/// sum of several separable terms is one sum: with every row j of the mask it takes the row sums of
/// term 0, of term 1, ..., each times column[k * height + j] with one fused multiply-add. By fft
/// the bits of an output depend on the inputs of its pair of blocks (FftBlocks) and nothing else;
/// pairs that hold NaN or Inf, or that overflow, are summed directly.
template <class T>
struct Stencil {
  Method method = Method::direct;
  bool multiply_zeros = true;  ///< see Mask
  Index height = 1, width = 1;
  std::vector<T> taps;                ///< direct: `[height, width]`, row-major
  Index terms = 1;                    ///< separable: how many are summed, 1 to most_terms
  std::vector<T> column, row;         ///< separable: `[terms, height]` and `[terms, width]`
  std::array<Index, 2> stride{1, 1};  ///< {y, x}
  /// Missing points are NaN. Without a value NaN follows IEEE arithmetic. With a value the sums run
  /// over the valid points only, times sum(M) / sum(M over valid points); where the valid points
  /// hold less than this share of sum(|M|), or nothing, or their taps sum to 0, the output is NaN.
  std::optional<double> min_valid;
  std::optional<FftPlan<T>> fft;  ///< fft: blocks and the mask's spectrum
};

/// Most separable terms that a sum may have.
inline constexpr Index most_terms = 3;

/// @throws ShapeError  a mask of two axes, or missing points that are to be left out
void require_fft_possible(const Mask& mask, bool renormalizes);

/// Rounds a mask to T and binds it to a method.
///
/// @param blocks  fft: how the axis is cut; without points they are chosen for a long axis
/// @throws ShapeError  separable asked of a mask without factors, or of several terms of them with
///                     min_valid or with taps of 0 that are skipped; min_valid outside [0, 1], or
///                     given and the taps sum to 0 (within rounding), so that no rescaling exists;
///                     a stride below 1; a tap too large for T; fft asked of a 2D mask or with
///                     min_valid.
template <class T>
Stencil<T> make_stencil(const Mask& mask, Method method, std::array<Index, 2> stride,
                        std::optional<double> min_valid, const FftBlocks& blocks = {});

/// Where a view of outputs stands along the mask's axis. Only fft asks: its blocks are anchored to
/// the whole axis.
struct Anchor {
  Index first_output = 0;  ///< index of the view's first output
  Index axis_outputs = 0;  ///< of the whole axis; 0: it ends with the view
};

/// Computes one view of outputs from one view of inputs, ghosts being part of the input view:
///
///     target(b, y, x) = sum_{j, i} M(j, i) * source(b, y * stride_y + j, x * stride_x + i)
///
/// @param source  extent at least `[nb, (ny - 1) * stride_y + height, (nx - 1) * stride_x +
/// width]`,
///                every point valid (ghosts exchanged), any unit; by fft it holds along the mask's
///                axis just what FftBlocks::reads says of the target's outputs
/// @param target  `[nb, ny, nx]`, does not overlap source; every point is written
///
/// Returns when the work is done. Runs on the calling thread's OpenMP team.
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor.
/// @throws MachineError  no memory for intermediate rows.
template <class T>
void convolve_cpu(const Stencil<T>& stencil, FieldView<const T> source, FieldView<T> target,
                  const Anchor& anchor = {});

/// The same sum as plain loops in double precision: the definition of correct. Separable stencils
/// are summed as the outer product of their factors, or as the sum of these products.
template <class T>
void convolve_reference(const Stencil<T>& stencil, FieldView<const T> source,
                        FieldView<double> target);

/// The kernel that convolve_cpu takes for a stencil: processor, walk, taps that are multiplied,
/// what slows it down, vector extension: `cpu separable, 17 + 17 taps in one sweep, avx512`, `cpu
/// sum of 2 separable, 2 x (15 + 15) taps in one sweep, avx512`, `cpu sparse, 5 of 3x3 taps, over
/// valid points, avx2`, `cpu line, 9 taps, stride 1 4, avx512`.
///
/// @throws WordsError  as convolve_cpu
template <class T>
std::string kernel_name(const Stencil<T>& stencil);

/// Bytes that convolve_cpu by fft needs for a while besides the views, on the calling thread's
/// team.
///
/// @param element  bytes of the compute type
Index fft_scratch_bytes(const FftBlocks& blocks, std::size_t element);

/// One line for the plan and the report: vector extension chosen at run time and threads,
/// `avx512, 2 threads`. The environment variable STENCIL_SIMD (baseline, avx2, avx512) forces one.
std::string cpu_walk_facts();

}  // namespace stencil
