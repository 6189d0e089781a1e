// This file is compiled once per vector extension (kernels/CMakeLists.txt).
#include "kernels/cpu/vector/row_kernels.hpp"

#include "kernels/cpu/vector/fft.hpp"
#include "kernels/cpu/vector/fft_tile.hpp"
#include "kernels/cpu/vector/fft_tile_planes.hpp"
#include "kernels/cpu/vector/limits.hpp"
#include "kernels/cpu/vector/split_row.hpp"
#include "kernels/cpu/vector/step_rows.hpp"
#include "kernels/cpu/vector/sum_channels.hpp"
#include "kernels/cpu/vector/sum_columns.hpp"
#include "kernels/cpu/vector/sum_lines.hpp"
#include "kernels/cpu/vector/sum_row.hpp"
#include "kernels/cpu/vector/sum_rows.hpp"
#include "kernels/cpu/vector/sweep_rows.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {

template <class T>
constexpr RowKernels<T> kernels{
    .sum_row = sum_row<T>,
    .sum_rows = sum_rows<T>,
    .sum_lines = sum_lines<T>,
    .sum_columns = sum_columns<T>,
    .sweep_rows = sweep_rows<T>,
    .step_rows = step_rows<T>,
    .sum_channels = sum_channels<T>,
    .finish_streaming = finish_streaming,
    .split_row = split_row<T>,
    .all_finite = all_finite<T>,
    .copy_valid = copy_valid<T>,
    .mark_valid = mark_valid<T>,
    .rescale_row = rescale_row<T>,
    .copy_aligned = copy_aligned<T>,
    .convolve_pairs = convolve_pairs<T>,
    .decimate_pairs = decimate_pairs<T>,
    .transform_pairs = transform_pairs<T>,
    .invert_pairs = invert_pairs<T>,
    .fft_pairs = Octet<T>::pairs,
    .transpose = transpose<T>,
    .convolve_tile = convolve_tile<T>,
    .transform_tile = transform_tile<T>,
    .sum_tiles = sum_tiles<T>,
    .invert_tile = invert_tile<T>,
    .multiply_adds = multiply_adds<T>,
    .adds_per_round = adds_per_round<T>,
};

constinit const RowKernels<float> float_kernels = kernels<float>;
constinit const RowKernels<double> double_kernels = kernels<double>;

}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
