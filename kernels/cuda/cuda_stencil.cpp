#include "kernels/cuda/cuda_stencil.hpp"

#include <memory>
#include <optional>

#include "kernels/cuda/fft/cuda_fft.hpp"
#include "kernels/cuda/fft/cuda_fft_tiles.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/repeated_sweeps.hpp"
#include "kernels/cuda/steps/step_sweeps.hpp"
#include "kernels/cuda/uploaded.hpp"
#include "kernels/cuda/volume_passes.hpp"

namespace stencil::cuda {
namespace {

template <class T>
class CudaStencil : public BoundStencil<T> {
 public:
  CudaStencil(CudaExecutor& executor, const Stencil<T>& stencil)
      : executor_(executor),
        stencil_(stencil),
        taps_(uploaded(executor, stencil.taps)),
        column_(uploaded(executor, stencil.column)),
        row_(uploaded(executor, stencil.row)),
        steps_(std::make_unique<StepSweeps<T>>(stencil)) {
    if (stencil_.fft) {
      fft_.emplace(executor, stencil);
      stencil_.fft->drop_tables();
    }
    if (stencil_.fft_tiles) {
      fft_tiles_.emplace(executor, stencil);
      stencil_.fft_tiles->drop_tables();
    }
    if (stencil_.depth > 1 && stencil_.method == Method::separable)
      passes_.emplace(executor, stencil);
    else if (stencil_.method != Method::fft)
      prepare_production(stencil_);
  }

  std::string name() const override { return production_name(stencil_); }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    if (points(target.extent) == 0) return;
    CUstream_st* stream = executor_.stream(lane);
    FieldView<const T> planes = source;  // the planes that a mask of one plane reads
    planes.batch_pitch *= stencil_.plane_stride;
    if (fft_)
      fft_->run(device_taps().taps, planes, target, anchor, stream);
    else if (fft_tiles_)
      fft_tiles_->run(device_taps().taps, planes, target, anchor, stream);
    else if (passes_)
      passes_->run(source, target, stream);
    else
      sweeps_.run({source, target}, stream,
                  [&] { launch_production(stencil_, device_taps(), source, target, stream); });
  }

  void advance(const StepEdges& edges, Index steps, FieldView<const T> source, FieldView<T> target,
               Lane lane) const override {
    // Points at the edges of the world are computed concurrently with all other points. They are
    // queued on the lane of halos, which has the higher priority, after the halos have been sent.
    const bool apart = lane == Lane::work;
    if (apart) executor_.order(Lane::work, Lane::exchange);
    steps_->advance(edges, steps, source, target,
                    {executor_.stream(Lane::exchange), executor_.stream(lane)});
    if (apart) executor_.order(Lane::exchange, Lane::work);
  }

 private:
  DeviceTaps<T> device_taps() const {
    return {reinterpret_cast<const T*>(taps_.get()), reinterpret_cast<const T*>(column_.get()),
            reinterpret_cast<const T*>(row_.get())};
  }

  CudaExecutor& executor_;
  Stencil<T> stencil_;
  Memory taps_, column_, row_;
  std::optional<CudaFft<T>> fft_;
  std::optional<CudaFftTiles<T>> fft_tiles_;
  mutable std::optional<VolumePasses<T>> passes_;  ///< mutable, because its scratch memory changes
  std::unique_ptr<StepSweeps<T>> steps_;
  mutable RepeatedSweeps sweeps_;  ///< mutable, because it records launches
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_stencil(CudaExecutor& executor,
                                                   const Stencil<T>& stencil) {
  return std::make_unique<CudaStencil<T>>(executor, stencil);
}

template std::unique_ptr<BoundStencil<float>> bind_cuda_stencil(CudaExecutor&,
                                                                const Stencil<float>&);
template std::unique_ptr<BoundStencil<double>> bind_cuda_stencil(CudaExecutor&,
                                                                 const Stencil<double>&);

}  // namespace stencil::cuda
