#pragma once

#include "framework/device/executor.hpp"

struct CUevent_st;
struct CUstream_st;

namespace stencil::cuda {

/// Bytes of a piece: large enough for the bandwidth of the bus, small enough to start early.
inline constexpr Index pinned_piece_bytes = Index{32} << 20;
/// Of all pieces together.
inline constexpr Index pinned_bytes = 2 * pinned_piece_bytes;

/// Whether the bus reaches host memory without a copy by the host: whether CUDA pinned it.
bool is_pinned(const void* host);

/// Transfers between pinned memory and the device. Rows have to be contiguous on both sides. Done
/// when they return.
void upload_pinned(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
                   CUstream_st* stream);
void download_pinned(const ConstRectangle& device, const Rectangle& host, std::size_t element_size,
                     CUstream_st* stream);

/// Two pieces of pinned host memory through which rows travel between any host memory and the
/// device: while one piece is on the bus, threads of the host fill or empty the other.
class PinnedStaging {
 public:
  /// @throws MachineError  no pinned memory
  PinnedStaging();
  ~PinnedStaging();
  PinnedStaging(const PinnedStaging&) = delete;
  PinnedStaging& operator=(const PinnedStaging&) = delete;

  /// Rows have to be contiguous on both sides. Done when they return.
  void upload(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
              CUstream_st* stream);
  void download(const ConstRectangle& device, const Rectangle& host, std::size_t element_size,
                CUstream_st* stream);

 private:
  struct Piece {
    std::byte* memory = nullptr;
    CUevent_st* done = nullptr;  ///< the bus no longer needs the memory
  };
  Piece pieces_[pinned_bytes / pinned_piece_bytes];
};

}  // namespace stencil::cuda
