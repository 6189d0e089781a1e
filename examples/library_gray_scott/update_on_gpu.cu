#include "update.hpp"

using namespace stencil;

namespace {

__global__ void update(const double* u, const double* v, double* next_u, double* next_v,
                       Index height, Index width, Index pitch) {
  const Index x = blockIdx.x * Index{blockDim.x} + threadIdx.x;
  const Index y = blockIdx.y * Index{blockDim.y} + threadIdx.y;
  const Index at = y * pitch + x;
  if (x < width && y < height) react(u + at, v + at, pitch, next_u + at, next_v + at);
}

}  // namespace

void update_on_gpu(Executor& executor, const Field<double>& u, const Field<double>& v,
                   Field<double>& next_u, Field<double>& next_v) {
  const FieldView<double> to = next_u.owned();
  if (points(to.extent) == 0) return;
  const dim3 threads(32, 8);
  const dim3 blocks(static_cast<unsigned>((to.extent[2] + 31) / 32),
                    static_cast<unsigned>((to.extent[1] + 7) / 8));
  // This stream runs the kernel after the exchange of the ghost points and before the next
  // exchange.
  const auto stream = static_cast<cudaStream_t>(executor.native_stream(Lane::work));
  update<<<blocks, threads, 0, stream>>>(u.owned().data, v.owned().data, to.data,
                                         next_v.owned().data, to.extent[1], to.extent[2],
                                         to.row_pitch);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw MachineError(std::string("update_on_gpu: ") + cudaGetErrorString(error));
}
