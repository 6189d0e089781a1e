#pragma once

#include "kernels/cuda/fft/memory.hpp"

struct CUevent_st;
struct CUstream_st;

namespace stencil::cuda {

/// Streams beside another one, so that parts of its work run at the same time.
class SideStreams {
 public:
  /// How many parts are at work at a time: one on the stream itself, the others beside it.
  static constexpr int lanes = fft_lanes;

  /// @throws MachineError  no stream can be made; likewise below where work cannot be ordered
  SideStreams();
  ~SideStreams();
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  /// Work ordered on the lanes from now on waits for all on the stream until now.
  void fork(CUstream_st* stream) const;
  /// Work ordered on the stream from now on waits for all on the lanes.
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
