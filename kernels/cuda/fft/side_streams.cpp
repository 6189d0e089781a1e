#include "kernels/cuda/fft/side_streams.hpp"

#include <cuda_runtime.h>

#include "framework/device/cuda/check.hpp"

namespace stencil::cuda {

SideStreams::SideStreams() {
  for (CUstream_st*& side : sides_)
    check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "making a stream");
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event");
}

SideStreams::~SideStreams() {
  cudaEventDestroy(event_);
  for (CUstream_st* side : sides_) cudaStreamDestroy(side);
}

void SideStreams::fork(CUstream_st* stream) const {
  check(cudaEventRecord(event_, stream), "ordering work");
  for (CUstream_st* side : sides_) check(cudaStreamWaitEvent(side, event_, 0), "ordering work");
}

void SideStreams::join(CUstream_st* stream) const {
  // one event suffices: cudaStreamWaitEvent waits for the last cudaEventRecord that was called
  // before it
  for (CUstream_st* side : sides_) {
    check(cudaEventRecord(event_, side), "ordering work");
    check(cudaStreamWaitEvent(stream, event_, 0), "ordering work");
  }
}

}  // namespace stencil::cuda
