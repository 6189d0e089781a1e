#pragma once

#include "framework/device/executor.hpp"

struct CUevent_st;
struct CUstream_st;

namespace stencil::cuda {

/// Transfers of at most this number of bytes (taps, tables and counters) do not use pinned memory,
/// because allocating it would take longer than the transfer.
inline constexpr Index small_transfer_bytes = Index{1} << 20;

/// Bytes of a piece: large enough for the bandwidth of the bus, small enough to start early.
inline constexpr Index pinned_piece_bytes = Index{32} << 20;
/// Of all pieces together.
inline constexpr Index pinned_bytes = 2 * pinned_piece_bytes;

/// Whether the bus reaches host memory without a copy by the host: whether CUDA pinned it.
bool is_pinned(const void* host);

/// Transfers between host memory and the device without a copy by the host: at the full rate of the
/// bus where the host memory is pinned. Rows have to be contiguous on both sides. Done when they
/// return.
void upload_directly(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
                     CUstream_st* stream);
void download_directly(const ConstRectangle& device, const Rectangle& host,
                       std::size_t element_size, CUstream_st* stream);

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
