#include "drivers/stencil_bench/cudnn_rival.hpp"

#include <cudnn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>

#include "framework/grid/error.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/measure.hpp"

namespace stencil::bench {
namespace {

constexpr int repeats = 15;
constexpr std::size_t most_workspace = std::size_t{4} << 30;

void checked(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw MachineError(fmt::format("cuDNN: {}: {}", what, cudnnGetErrorString(status)));
}

/// The handle and the four descriptors of one convolution.
class Convolution {
 public:
  Convolution(const NchwShape& s, bool tf32) {
    checked(cudnnCreate(&handle), "cudnnCreate");
    checked(cudnnCreateTensorDescriptor(&source), "source");
    checked(cudnnCreateTensorDescriptor(&target), "target");
    checked(cudnnCreateFilterDescriptor(&mask), "mask");
    checked(cudnnCreateConvolutionDescriptor(&rule), "rule");
    checked(cudnnSetTensor4dDescriptor(source, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, int(s.images),
                                       int(s.in), int(s.ny), int(s.nx)),
            "source");
    checked(cudnnSetTensor4dDescriptor(target, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, int(s.images),
                                       int(s.out), int(s.out_ny()), int(s.out_nx())),
            "target");
    checked(cudnnSetFilter4dDescriptor(mask, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, int(s.out),
                                       int(s.in / s.groups), int(s.height), int(s.width)),
            "mask");
    checked(
        cudnnSetConvolution2dDescriptor(rule, int(s.pad), int(s.pad), int(s.stride), int(s.stride),
                                        1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
        "rule");
    checked(cudnnSetConvolutionGroupCount(rule, int(s.groups)), "groups");
    checked(cudnnSetConvolutionMathType(rule, tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH), "math");
  }
  ~Convolution() {
    cudnnDestroyConvolutionDescriptor(rule);
    cudnnDestroyFilterDescriptor(mask);
    cudnnDestroyTensorDescriptor(target);
    cudnnDestroyTensorDescriptor(source);
    cudnnDestroy(handle);
  }
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;

  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t source = nullptr, target = nullptr;
  cudnnFilterDescriptor_t mask = nullptr;
  cudnnConvolutionDescriptor_t rule = nullptr;
};

std::string algorithm_name(cudnnConvolutionFwdAlgo_t algorithm) {
  constexpr std::array<const char*, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> names{
      "implicit gemm", "precomputed gemm", "gemm",     "direct",
      "fft",           "fft tiling",       "winograd", "winograd nonfused"};
  const auto at = static_cast<std::size_t>(algorithm);
  return at < names.size() ? names[at] : "?";
}

}  // namespace

std::string rival_name() {
  const std::size_t version = cudnnGetVersion();
  return fmt::format("cuDNN {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::optional<RivalResult> run_rival(const NchwShape& shape, const float* source, const float* mask,
                                     float* target, bool tf32) {
  const Convolution c(shape, tf32);
  std::array<cudnnConvolutionFwdAlgoPerf_t, 16> found{};
  int count = 0;
  checked(cudnnFindConvolutionForwardAlgorithm(c.handle, c.source, c.mask, c.rule, c.target,
                                               int(found.size()), &count, found.data()),
          "trying all algorithms");
  const auto wanted = tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
  const auto best = std::find_if(found.begin(), found.begin() + count, [&](const auto& f) {
    const bool is_allowed = tf32 || f.mathType == wanted;
    return f.status == CUDNN_STATUS_SUCCESS && f.memory <= most_workspace && is_allowed;
  });
  if (best == found.begin() + count) return {};
  checked(cudnnSetConvolutionMathType(c.rule, best->mathType), "math");
  const cuda::DeviceArray workspace(std::max<std::size_t>(best->memory, 256));
  const float one = 1, zero = 0;
  const auto order = [&](CUstream_st* stream) {
    checked(cudnnSetStream(c.handle, stream), "stream");
    checked(
        cudnnConvolutionForward(c.handle, &one, c.source, source, c.mask, mask, c.rule, best->algo,
                                workspace.data(), best->memory, &zero, c.target, target),
        "the convolution");
  };
  cuda::median_seconds(order, 3);
  return RivalResult{cuda::median_seconds(order, repeats), algorithm_name(best->algo)};
}

}  // namespace stencil::bench
