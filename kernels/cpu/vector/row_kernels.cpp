// Compiled once per vector extension (kernels/CMakeLists.txt).
#include "kernels/cpu/row_kernels.hpp"

#include "kernels/cpu/vector/limits.hpp"
#include "kernels/cpu/vector/sum_row.hpp"
#include "kernels/cpu/vector/sum_rows.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {

extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;

constinit const RowKernels<float> float_kernels{
    sum_row<float>,      sum_valid_row<float>, sum_rows<float>,      rescale_row<float>,
    copy_aligned<float>, multiply_adds<float>, adds_per_round<float>};
constinit const RowKernels<double> double_kernels{
    sum_row<double>,      sum_valid_row<double>, sum_rows<double>,      rescale_row<double>,
    copy_aligned<double>, multiply_adds<double>, adds_per_round<double>};

}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
