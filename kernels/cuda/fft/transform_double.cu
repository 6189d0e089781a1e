#include "kernels/cuda/fft/transform.cuh"

namespace stencil::cuda {

template int log_points_on_chip<double>();
template bool fits_fft_columns<double>(int);
template void launch_fft_lines(const FftTables<double>&, const FftPieces<double>&, long, long,
                               CUstream_st*);
template void launch_fft_columns(const FftTables<double>&, const FftPieces<double>&, CUstream_st*);
template void launch_fft_in_memory(const FftTables<double>&, const FftPieces<double>&, long, long,
                                   Complex<double>*, unsigned*, CUstream_st*);

}  // namespace stencil::cuda
