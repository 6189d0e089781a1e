#include "kernels/cuda/channels/launchers.hpp"
#include "kernels/cuda/channels/tiled_channels.cuh"

namespace stencil::cuda {

template int launch_tiled_channels(const ChannelShape&, const ChannelTiling&, const float*, float*,
                                   const float*, CUstream_st*);

}  // namespace stencil::cuda
