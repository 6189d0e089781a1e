#pragma once

#include <cstddef>
#include <string>

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

namespace stencil {

/// Computes one view of outputs from one view of inputs that includes the ghosts:
///
///     target(b, y, x) = sum_{j, i} M(j, i) * source(b, y * stride_y + j, x * stride_x + i)
///
/// and for a mask of three axes
///
///     target(b, y, x) = sum_{k, j, i} M(k, j, i) *
///         source(b * plane_stride + k, y * stride_y + j, x * stride_x + i)
///
/// @param source  inputs, with ghost points that have been exchanged. The extent is at least `[nb,
///                (ny - 1) * stride_y + height, (nx - 1) * stride_x + width]`; for a mask of three
///                axes, there are at least `(nb - 1) * plane_stride + depth` planes. For
///                Method::fft and a mask of one axis, the extent along that axis is exactly that of
///                FftBlocks::reads for the outputs of the target. For Method::fft and a mask of two
///                or three axes, the extents along y and x are exactly those of FftTileAxis::reads
/// @param target  `[nb, ny, nx]`, does not overlap source; every point is written
///
/// Returns when all outputs are computed. Runs on the calling thread's OpenMP team.
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor.
/// @throws MachineError  no memory for intermediate rows.
template <class T>
void convolve_cpu(const Stencil<T>& stencil, FieldView<const T> source, FieldView<T> target,
                  const Anchor& anchor = {});

/// Returns the size in bytes of the temporary memory of convolve_cpu with Method::fft, for all
/// threads of the calling thread's team.
///
/// @param stride        stride along the mask's axis
/// @param element       bytes of the compute type
/// @param renormalizes  whether missing points are left out
Index fft_scratch_bytes(const FftBlocks& blocks, Index stride, std::size_t element,
                        bool renormalizes = false);
/// Returns the size of this memory for a mask of two or three axes.
///
/// @param plane_stride  stride along batch of a mask of three axes; not used for other masks
Index fft_scratch_bytes(const FftTiles& tiles, std::size_t element, bool renormalizes = false,
                        Index plane_stride = 1);
/// Returns the number of bytes for the transformed inputs of a bank of filters along x, in addition
/// to fft_scratch_bytes().
Index fft_kept_bytes(const FftBlocks& blocks, std::size_t element);
/// Returns the largest number of bytes of address space that convolve_cpu reserves without using
/// them, for all threads of the calling thread's team: the gaps between the scratch memory of two
/// threads (cpu::Scratch).
Index scratch_addresses();

/// Returns one line for the plan and the report, with the vector extension chosen at run time and
/// the number of threads: `avx512, 2 threads`. The environment variable STENCIL_SIMD (baseline,
/// avx2, avx512) selects an extension.
std::string cpu_walk_facts();

}  // namespace stencil
