#pragma once

#include "framework/device/executor.hpp"

struct CUevent_st;
struct CUstream_st;

namespace stencil::cuda {

/// Transfers of at most this size in bytes (taps, tables and counters) do not use the pinned
/// pieces, because allocating them would take longer than the transfer.
inline constexpr Index small_transfer_bytes = Index{1} << 20;

/// Size of a piece in bytes: large enough for the full bandwidth of the bus, small enough to start
/// early.
inline constexpr Index pinned_piece_bytes = Index{32} << 20;
/// Size of all pieces together, in bytes.
inline constexpr Index pinned_bytes = 2 * pinned_piece_bytes;

/// Returns whether CUDA has pinned the host memory, so that the bus can access this memory without
/// a copy by the host.
bool is_pinned(const void* host);

/// Transfer rows between host memory and the device without the pinned pieces. The transfer reaches
/// the full rate of the bus only if the host memory is pinned. Rows must be contiguous on both
/// sides. The transfer is complete when the function returns.
void upload_directly(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
                     CUstream_st* stream);
void download_directly(const ConstRectangle& device, const Rectangle& host,
                       std::size_t element_size, CUstream_st* stream);

/// Two pieces of pinned host memory through which rows are transferred between any host memory and
/// the device: while the bus transfers one piece, host threads fill or empty the other piece.
class PinnedStaging {
 public:
  /// @throws MachineError  pinned memory cannot be allocated
  PinnedStaging();
  ~PinnedStaging();
  PinnedStaging(const PinnedStaging&) = delete;
  PinnedStaging& operator=(const PinnedStaging&) = delete;

  /// Rows must be contiguous on both sides. The transfer is complete when the function returns.
  void upload(const ConstRectangle& host, const Rectangle& device, std::size_t element_size,
              CUstream_st* stream);
  void download(const ConstRectangle& device, const Rectangle& host, std::size_t element_size,
                CUstream_st* stream);

 private:
  struct Piece {
    std::byte* memory = nullptr;
    CUevent_st* done = nullptr;  ///< recorded after the last transfer that uses the memory
  };
  Piece pieces_[pinned_bytes / pinned_piece_bytes];
};

}  // namespace stencil::cuda
