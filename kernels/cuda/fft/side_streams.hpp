#pragma once

#include "kernels/cuda/fft/memory.hpp"

struct CUevent_st;
struct CUstream_st;

namespace stencil::cuda {

/// Additional streams, so that parts of the work of one stream run concurrently.
class SideStreams {
 public:
  /// Number of concurrent parts: one on the stream itself, the others on additional streams.
  static constexpr int lanes = fft_lanes;

  /// @throws MachineError  a stream cannot be created; the other functions throw it if work cannot
  ///                       be ordered
  SideStreams();
  ~SideStreams();
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  /// Orders the lanes after the stream: work that is queued on the lanes after this call waits for
  /// all work that was queued on the stream before this call.
  void fork(CUstream_st* stream) const;
  /// Orders the stream after the lanes: work that is queued on the stream after this call waits for
  /// all work that was queued on the lanes before this call.
  void join(CUstream_st* stream) const;
  /// @param lane  0, which is the stream itself, to lanes - 1
  CUstream_st* lane(int lane, CUstream_st* stream) const {
    return lane == 0 ? stream : sides_[lane - 1];
  }

 private:
  CUstream_st* sides_[lanes - 1] = {};
  CUevent_st* event_ = nullptr;
};

}  // namespace stencil::cuda
