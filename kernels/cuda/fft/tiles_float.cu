#include "kernels/cuda/fft/tiles.cuh"

namespace stencil::cuda {

template bool fits_fft_tile(const TileTables<float>&);
template bool fits_fft_tile_column(const TileTables<float>&);
template void launch_fft_tiles_on_chip(const TileTables<float>&, const TileViews<float>&,
                                       CUstream_st*);
template void launch_fft_tiles_in_memory(const TileTables<float>&, const TileViews<float>&,
                                         const TileBatch<float>&, CUstream_st*);

}  // namespace stencil::cuda
