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

  /// Makes later work on the lanes wait for all earlier work on the stream.
  void fork(CUstream_st* stream) const;
  /// Makes later work on the stream wait for all earlier work on the lanes.
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
