#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "framework/grid/shape.hpp"

struct libdeflate_compressor;

namespace stencil::storage {

/// Packs chunks as HDF5's filters `shuffle` and `deflate` do, in this order. For one thread. Equal
/// points always give equal bytes. A level gives about the same size as in zlib, but not the same
/// bytes.
class ChunkPacker {
 public:
  /// @param level       of deflate, 1 to 9
  /// @param chunk_bytes of a chunk unpacked
  ChunkPacker(int level, Index chunk_bytes, Index element_bytes);

  /// The packed chunk, valid until the next call.
  std::span<const std::byte> pack(const std::byte* chunk);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::size_t chunk_bytes_, element_bytes_, packed_size_;
  std::unique_ptr<std::byte[]> shuffled_, packed_;
};

/// Upper bound of the bytes of a packed chunk.
Index most_packed_bytes(Index chunk_bytes);

}  // namespace stencil::storage
