// The only source file that chooses between CPU and CUDA kernels.
#include "kernels/bind/bind_stencil.hpp"

#include "kernels/bind/kernel_name.hpp"
#include "kernels/cpu/advance_cpu.hpp"
#include "kernels/cpu/convolve_cpu.hpp"
#ifdef STENCIL_HAS_CUDA
#include "kernels/cuda/cuda_stencil.hpp"
#include "kernels/cuda/launch.hpp"
#endif

namespace stencil {
namespace {

template <class T>
class CpuStencil : public BoundStencil<T> {
 public:
  explicit CpuStencil(const Stencil<T>& stencil) : stencil_(stencil) {}

  std::string name() const override { return kernel_name(stencil_); }
  void run(FieldView<const T> source, FieldView<T> target, Lane,
           const Anchor& anchor) const override {
    convolve_cpu(stencil_, source, target, anchor);
  }
  void advance(const StepEdges& edges, Index steps, FieldView<const T> source, FieldView<T> target,
               Lane) const override {
    advance_cpu(stencil_, edges, steps, source, target);
  }

 private:
  Stencil<T> stencil_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_stencil(Executor& executor, const Stencil<T>& stencil) {
#ifdef STENCIL_HAS_CUDA
  if (auto* gpu = dynamic_cast<cuda::CudaExecutor*>(&executor))
    return cuda::bind_cuda_stencil(*gpu, stencil);
#endif
  (void)executor;  // a build without CUDA has only one kind of executor
  return std::make_unique<CpuStencil<T>>(stencil);
}

template <class T>
std::string kernel_name_on(Backend backend, const Stencil<T>& stencil) {
#ifdef STENCIL_HAS_CUDA
  if (backend == Backend::cuda) return cuda::production_name(stencil);
#endif
  (void)backend;
  return kernel_name(stencil);
}

template std::string kernel_name_on(Backend, const Stencil<float>&);
template std::string kernel_name_on(Backend, const Stencil<double>&);
template std::unique_ptr<BoundStencil<float>> bind_stencil(Executor&, const Stencil<float>&);
template std::unique_ptr<BoundStencil<double>> bind_stencil(Executor&, const Stencil<double>&);

}  // namespace stencil
