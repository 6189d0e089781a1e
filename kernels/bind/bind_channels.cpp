#include "kernels/bind/bind_channels.hpp"

#include "kernels/channels/convolve_channels_cpu.hpp"
#ifdef STENCIL_HAS_CUDA
#include "kernels/cuda/channels/bind_cuda_channels.hpp"
#endif

namespace stencil {
namespace {

template <class T>
class CpuChannels : public BoundStencil<T> {
 public:
  explicit CpuChannels(const ChannelStencil<T>& stencil) : stencil_(stencil) {}

  std::string name() const override { return "cpu channels"; }
  void run(FieldView<const T> source, FieldView<T> target, Lane, const Anchor&) const override {
    convolve_channels_cpu(stencil_, source, target);
  }

 private:
  ChannelStencil<T> stencil_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_channels(Executor& executor,
                                               const ChannelStencil<T>& stencil) {
  (void)executor;  // a build without CUDA has only one kind of executor
#ifdef STENCIL_HAS_CUDA
  if (auto* gpu = dynamic_cast<cuda::CudaExecutor*>(&executor))
    return cuda::bind_cuda_channels(*gpu, stencil);
#endif
  return std::make_unique<CpuChannels<T>>(stencil);
}

template std::unique_ptr<BoundStencil<float>> bind_channels(Executor&,
                                                            const ChannelStencil<float>&);
template std::unique_ptr<BoundStencil<double>> bind_channels(Executor&,
                                                             const ChannelStencil<double>&);

}  // namespace stencil
