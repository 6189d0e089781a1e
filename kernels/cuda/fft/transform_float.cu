#include "kernels/cuda/fft/transform.cuh"

namespace stencil::cuda {

template int log_points_on_chip<float>();
template bool fits_fft_columns<float>(int);
template void launch_fft_lines(const FftTables<float>&, const FftPieces<float>&, long, long,
                               CUstream_st*);
template void launch_fft_columns(const FftTables<float>&, const FftPieces<float>&, CUstream_st*);
template void launch_fft_in_memory(const FftTables<float>&, const FftPieces<float>&, long, long,
                                   Complex<float>*, unsigned*, CUstream_st*);

}  // namespace stencil::cuda
