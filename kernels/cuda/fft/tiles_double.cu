#include "kernels/cuda/fft/tiles.cuh"

namespace stencil::cuda {

template bool fits_fft_tile(const TileTables<double>&);
template bool fits_fft_tile_column(const TileTables<double>&);
template void launch_fft_tiles_on_chip(const TileTables<double>&, const TileViews<double>&,
                                       CUstream_st*);
template void launch_fft_tiles_in_memory(const TileTables<double>&, const TileViews<double>&, long,
                                         long, Complex<double>*, const TileMarks&, CUstream_st*);
template void launch_fft_tiles_mend(const TileTables<double>&, const TileViews<double>&,
                                    const TileMarks&, Complex<double>*, int, CUstream_st*);

}  // namespace stencil::cuda
