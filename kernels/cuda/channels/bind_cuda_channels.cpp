#include "kernels/cuda/channels/bind_cuda_channels.hpp"

#include "kernels/cuda/channels/launch_channels.hpp"
#include "kernels/cuda/uploaded.hpp"

namespace stencil::cuda {
namespace {

template <class T>
class CudaChannels : public BoundStencil<T> {
 public:
  CudaChannels(CudaExecutor& executor, const ChannelStencil<T>& stencil)
      : executor_(executor),
        stencil_(stencil),
        taps_(uploaded(executor, packed_channel_taps(stencil))) {}

  std::string name() const override { return channels_name(stencil_); }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor&) const override {
    launch_channels(stencil_, reinterpret_cast<const T*>(taps_.get()), source, target,
                    executor_.stream(lane));
  }

 private:
  CudaExecutor& executor_;
  ChannelStencil<T> stencil_;
  Memory taps_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_channels(CudaExecutor& executor,
                                                    const ChannelStencil<T>& stencil) {
  return std::make_unique<CudaChannels<T>>(executor, stencil);
}

template std::unique_ptr<BoundStencil<float>> bind_cuda_channels(CudaExecutor&,
                                                                 const ChannelStencil<float>&);
template std::unique_ptr<BoundStencil<double>> bind_cuda_channels(CudaExecutor&,
                                                                  const ChannelStencil<double>&);

}  // namespace stencil::cuda
