#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "framework/grid/shape.hpp"

struct libdeflate_compressor;

namespace stencil::storage {

/// Packs chunks like HDF5's filters `shuffle` and `deflate`, in this order. An object can be used
/// by only one thread at a time. Equal points always give equal bytes. Sizes are about the same as
/// with zlib at the same level, but the bytes differ.
class ChunkPacker {
 public:
  /// @param level       compression level of deflate, 1 to 9
  /// @param chunk_bytes size of an unpacked chunk
  ChunkPacker(int level, Index chunk_bytes, Index element_bytes);

  /// Returns the packed chunk, valid until the next call.
  std::span<const std::byte> pack(const std::byte* chunk);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::size_t chunk_bytes_, element_bytes_, packed_size_;
  std::unique_ptr<std::byte[]> shuffled_, packed_;
};

/// Upper bound of the size of a packed chunk in bytes.
Index most_packed_bytes(Index chunk_bytes);

}  // namespace stencil::storage
