#include "kernels/cuda/steps/steps.cuh"

namespace stencil::cuda {

template void launch_strips(const StepWork<float>&, unsigned, const StepArea&, CUstream_st*);
template void launch_lines(const StepWork<float>&, const StepArea&, CUstream_st*);
template void launch_frame(const StepWork<float>&, const StepEdges&, unsigned,
                           const std::vector<StepArea>&, CUstream_st*);

}  // namespace stencil::cuda
