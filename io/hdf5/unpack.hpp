#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// One filter that chunks went through when they were written.
struct Filter {
  H5Z_filter_t id = 0;
  std::vector<unsigned> values{};
};

/// Whether this program undoes all these filters itself: shuffle, gzip, szip and fletcher32.
bool is_unpacked_here(const std::vector<Filter>& filters);

/// Memory that grows and is never initialised.
class Bytes {
 public:
  ~Bytes();
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  std::byte* hold(Index bytes);

 private:
  std::byte* data_ = nullptr;
  Index held_ = 0;
};

/// Undoes the filters of chunks, one after another; for one thread.
class Unpacker {
 public:
  Unpacker(const std::vector<Filter>& filters, Index chunk_bytes);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Bytes beyond which no stored chunk is sound.
  Index most_stored() const { return 2 * chunk_bytes_ + (Index{64} << 10); }

  /// Memory for a stored chunk.
  std::byte* hold(Index bytes) { return stored_.hold(bytes); }

  /// Unpacks the chunk in `hold`.
  ///
  /// @param mask  bit i: the i-th filter was left out when this chunk was written
  /// @returns its points, exactly as many bytes as a chunk has, valid until the next call; null
  ///          with `fault` set where the chunk is damaged
  std::byte* unpack(Index bytes, unsigned mask);

  /// What was wrong with the last chunk.
  const char* fault() const { return fault_; }

 private:
  std::byte* fail(const char* fault);
  Bytes& free();
  /// Of any step: room for the checksums of filters that were applied before, too.
  Index most_unpacked() const {
    return chunk_bytes_ + Index{4} * static_cast<Index>(filters_.size());
  }
  bool undo(const Filter& filter, bool is_last_gzip);
  bool check_sum();
  void undo_shuffle(std::size_t element_bytes);
  bool inflate(bool is_last);
  bool undo_szip(const std::vector<unsigned>& values);

  const std::vector<Filter> filters_;
  Index chunk_bytes_;
  Bytes stored_, one_, other_;
  std::byte* now_ = nullptr;
  Index bytes_ = 0;
  void* inflater_ = nullptr;
  const char* fault_ = "";
};

}  // namespace stencil::storage
