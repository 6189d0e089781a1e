#pragma once

#include <algorithm>

#include "kernels/cpu/weights.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Returns whether the mask has taps of 0 that are not multiplied by their input.
template <class T>
bool skips_zeros(const Stencil<T>& stencil) {
  const auto has_zero = [](const std::vector<T>& taps) {
    return std::find(taps.begin(), taps.end(), T(0)) != taps.end();
  };
  if (stencil.multiply_zeros) return false;
  if (stencil.method == Method::direct) return has_zero(stencil.taps);
  return has_zero(stencil.column) || has_zero(stencil.row) || has_zero(stencil.plane);
}

/// Returns whether a stencil uses this method with strides of 1 and one term, skips no taps, and
/// does not renormalize.
template <class T>
bool is_plain(const Stencil<T>& stencil, Method method) {
  return stencil.method == method && stencil.terms <= 1 && !stencil.min_valid &&
         !skips_zeros(stencil) && stencil.stride == std::array<Index, 2>{1, 1};
}

/// Number of taps of a direct mask that are multiplied by inputs, that is, are not skipped.
template <class T>
int multiplied_taps(const Stencil<T>& stencil) {
  const auto zeros = std::count(stencil.taps.begin(), stencil.taps.end(), T(0));
  return int(stencil.taps.size()) - (stencil.multiply_zeros ? 0 : int(zeros));
}

template <class T>
KernelArguments<T> make_arguments(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                                  FieldView<const T> source, FieldView<T> target) {
  // a mask of one row reads only every stride-th row
  const long down = stencil.height == 1 ? stencil.stride[0] : 1;
  const cpu::Weights<T> weights = cpu::make_weights(stencil);
  return {source.data,
          target.data,
          target.extent[0],
          target.extent[1],
          target.extent[2],
          source.batch_pitch,
          source.row_pitch * down,
          target.batch_pitch,
          target.row_pitch,
          stencil.stride[0] / down,
          stencil.stride[1],
          int(stencil.height),
          int(stencil.width),
          skips_zeros(stencil),
          multiplied_taps(stencil),
          stencil.method == Method::separable,
          weights,
          weights.keep_whole(),
          device_taps.taps,
          device_taps.column,
          device_taps.row,
          int(stencil.terms),
          int(stencil.height)};
}

/// Computes any stencil point by point. This kernel is compiled ahead and slow.
template <class T>
void launch_generic(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                    CUstream_st* stream);

/// Like launch_generic, but computes only the outputs that are NaN after the sums without treatment
/// of missing points.
template <class T>
void repair_generic(const KernelArguments<T>& arguments, CUstream_st* stream);

template <class T>
VolumeArguments<T> make_volume_arguments(const Stencil<T>& stencil,
                                         const DeviceTaps<T>& device_taps,
                                         FieldView<const T> source, FieldView<T> target) {
  return {make_arguments(stencil, device_taps, source, target), int(stencil.depth),
          stencil.plane_stride};
}

/// Computes any direct mask of three axes point by point, without renormalization. This kernel is
/// compiled ahead and slow.
template <class T>
void launch_volume_any(const VolumeArguments<T>& arguments, CUstream_st* stream);

// The other kernels are templates, compiled for a mask when they are first launched (instance.hpp).
// `fits_...` returns whether a kernel supports this mask. `launch_...` requires that the mask fits
// and throws NoInstance where kernels cannot be compiled. A launch with 0 batches compiles the
// kernel and queues no work.

/// Returns whether tiles copy inputs to shared memory by rows rather than element by element. This
/// requires aligned fields and the centre of the mask at tap width / 2, as in `correlate`.
template <class T>
bool has_bulk_tiles(const KernelArguments<T>& arguments);

/// A kernel for direct masks of height 1 without skipped taps or renormalization. A block computes
/// `line_tile_columns` outputs of a row.
template <class T>
inline constexpr int line_tile_columns = 5120 / int(sizeof(T));
template <class T>
void launch_tile_line(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream);

/// A kernel for direct masks, with or without skipped taps, whose taps and sums fit into the
/// constant cache and the registers. Warps sweep down strips. fits_strip_walk() also returns false
/// for grids so small that another kernel is faster.
template <class T>
bool fits_strip_walk(const KernelArguments<T>& arguments, const Stencil<T>& stencil);
template <class T>
void launch_strip_walk(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream);

/// A kernel for direct masks with or without skipped taps; at most `most_tile_taps` taps if some
/// are skipped.
template <class T>
void launch_tile_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream);
inline constexpr int most_tile_taps = 64;

/// A kernel for separable masks without skipped taps or renormalization.
template <class T>
void launch_tile_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                           CUstream_st* stream);

/// A kernel for direct masks of height 1 and of at most `most_line_taps` columns.
template <class T>
bool fits_line(const KernelArguments<T>& arguments);
template <class T>
void launch_line(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                 CUstream_st* stream);
template <class T>
inline constexpr int most_line_taps = 3808 / int(sizeof(T));

/// A kernel for direct masks of width 1 and of at most `most_column_taps` rows.
template <class T>
void launch_tile_column(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream);
inline constexpr int most_column_taps = 384;

/// A kernel for column masks in float32 without skipped taps, whose multiply-adds take about as
/// long as reading the inputs.
template <class T>
bool fits_strip_column(const KernelArguments<T>& arguments);
void launch_strip_column(const KernelArguments<float>& arguments, const Stencil<float>& stencil,
                         CUstream_st* stream);

/// A kernel for direct 2D masks without skipped taps, whose multiply-adds take somewhat longer than
/// reading the inputs. The alignment of the inputs must suit a tensor map (tensor_map.cuh).
template <class T>
bool fits_strip_dense(const KernelArguments<T>& arguments);
template <class T>
void launch_strip_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream);

/// A kernel for direct 2D masks.
template <class T>
bool fits_tile_wide(const KernelArguments<T>& arguments);
template <class T>
void launch_tile_wide(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream);

// Kernels on tensor cores: float64, no skipped taps.

/// A kernel for direct masks of height or width 1. Supports all such masks of at most
/// `most_tensor_line` taps.
bool fits_tensor_axis(const KernelArguments<double>& arguments);
void launch_tensor_axis(const KernelArguments<double>& arguments, const Stencil<double>& stencil,
                        CUstream_st* stream);
inline constexpr int most_tensor_line = 384;

/// A kernel for direct 2D masks.
bool fits_tensor_dense(const KernelArguments<double>& arguments);
void launch_tensor_dense(const KernelArguments<double>& arguments, const Stencil<double>& stencil,
                         CUstream_st* stream);

/// A kernel that computes both passes of separable masks.
bool fits_tensor_separable(const KernelArguments<double>& arguments);
void launch_tensor_separable(const KernelArguments<double>& arguments,
                             const Stencil<double>& stencil, CUstream_st* stream);

/// A kernel for renormalized sums with direct masks of any size.
template <class T>
bool fits_tile_valid(const KernelArguments<T>& arguments);
template <class T>
void launch_tile_valid(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream);

/// A kernel for separable masks without skipped taps whose multiply-adds take longer than reading
/// the inputs, and for sums of up to 3 such masks. Masks have up to 65 rows in float32 and 33 in
/// float64; taller masks are computed in bands. Rows have up to 832 taps in float32 and 416 in
/// float64, and fewer for sums of masks. The alignment of the inputs must suit a tensor map
/// (tensor_map.cuh).
template <class T>
bool fits_strip_separable(const KernelArguments<T>& arguments);
template <class T>
void launch_strip_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                            CUstream_st* stream);

/// A kernel for separable masks of any size, with or without renormalization.
template <class T>
bool fits_tile_separable_any(const KernelArguments<T>& arguments);
template <class T>
void launch_tile_separable_any(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                               CUstream_st* stream);

/// A kernel for direct masks of three axes without strides, whose taps fit into the code and whose
/// sums fit into the registers, with or without skipped taps. fits_volume() also returns false for
/// grids that are so small that most of a tile would be empty, and for pitches that a tensor map
/// does not support (tensor_map.cuh).
template <class T>
bool fits_volume(const VolumeArguments<T>& arguments, const Stencil<T>& stencil);
template <class T>
void launch_volume(const VolumeArguments<T>& arguments, const Stencil<T>& stencil,
                   CUstream_st* stream);

// The fast kernels for strides; none of them renormalizes. `strided_..._warps` returns the number
// of warps that run at once on a multiprocessor, and 0 if the kernel does not support the mask.

/// A kernel for direct masks of height 1, with stride_x from 2 to 16 and without skipped taps.
template <class T>
bool fits_strided_line(const KernelArguments<T>& arguments);
template <class T>
void launch_strided_line(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                         CUstream_st* stream);

/// A kernel for direct masks of width 1, with stride_x of 1 and without skipped taps. The mask
/// spans at most most_strided_ages strides, and at most most_strided_phases rows of each stride are
/// inputs of the mask.
template <class T>
void launch_strided_column(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                           CUstream_st* stream);
inline constexpr int most_strided_ages = 24, most_strided_phases = 192;

/// A kernel for direct masks of any size, for some values of the stride along x.
template <class T>
int strided_dense_warps(const KernelArguments<T>& arguments);
template <class T>
void launch_strided_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                          CUstream_st* stream);
/// Masks of up to this number of taps may have a faster kernel, which does not support bands.
inline constexpr int most_known_taps = 225;

/// A kernel for direct masks of any size, with any strides.
template <class T>
int strided_any_warps(const KernelArguments<T>& arguments);
template <class T>
void launch_strided_any(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream);

/// A kernel for separable masks of any size, for some values of the stride along x.
template <class T>
bool fits_strided_separable(const KernelArguments<T>& arguments);
template <class T>
void launch_strided_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                              CUstream_st* stream);

}  // namespace stencil::cuda
