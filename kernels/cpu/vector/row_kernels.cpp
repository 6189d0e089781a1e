// Compiled once per vector extension (kernels/CMakeLists.txt).
#include "kernels/cpu/row_kernels.hpp"

#include "kernels/cpu/vector/sum_row.hpp"
#include "kernels/cpu/vector/sum_rows.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {

extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;

constinit const RowKernels<float> float_kernels{sum_row<float>, sum_valid_row<float>,
                                                sum_rows<float>, rescale_row<float>};
constinit const RowKernels<double> double_kernels{sum_row<double>, sum_valid_row<double>,
                                                  sum_rows<double>, rescale_row<double>};

}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
