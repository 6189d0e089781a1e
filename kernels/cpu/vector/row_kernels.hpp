#pragma once

#include "kernels/cpu/row_kernels.hpp"

// The inner loops of each vector extension. row_kernels.cpp is compiled once per extension, and
// defines the variables of one namespace. Processors other than x86-64 have only `baseline`, which
// uses NEON on 64-bit Arm.
namespace stencil::cpu {

namespace baseline {
extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;
}  // namespace baseline

namespace avx2 {
extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;
}  // namespace avx2

namespace avx512 {
extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;
}  // namespace avx512

}  // namespace stencil::cpu
