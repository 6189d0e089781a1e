#include "kernels/cuda/fft/tiles.cuh"

namespace stencil::cuda {

template bool fits_fft_tile(const TileTables<float>&);
template bool fits_fft_tile_column(const TileTables<float>&);
template void launch_fft_tiles_on_chip(const TileTables<float>&, const TileViews<float>&,
                                       CUstream_st*);
template void launch_fft_tiles_in_memory(const TileTables<float>&, const TileViews<float>&, long,
                                         long, Complex<float>*, const TileMarks&, CUstream_st*);
template void launch_fft_tiles_mend(const TileTables<float>&, const TileViews<float>&,
                                    const TileMarks&, Complex<float>*, int, CUstream_st*);

}  // namespace stencil::cuda
