#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// A filter of a dataset: its HDF5 number and its parameters.
struct Filter {
  H5Z_filter_t id = 0;
  std::vector<unsigned> values{};
};

/// Returns whether Unpacker supports all of these filters. It supports shuffle, gzip, szip and
/// fletcher32.
bool is_unpacked_here(const std::vector<Filter>& filters);

/// A buffer that grows when needed, and whose bytes are not initialised.
class Bytes {
 public:
  ~Bytes();
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  std::byte* hold(Index bytes);
  /// Returns whether `memory` is the beginning of this buffer.
  bool holds(const std::byte* memory) const { return memory != nullptr && memory == data_; }

 private:
  std::byte* data_ = nullptr;
  Index held_ = 0;
};

/// Reverses the filters of chunks. An object can be used by only one thread at a time.
class Unpacker {
 public:
  Unpacker(const std::vector<Filter>& filters, Index chunk_bytes);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Upper bound of the size of a valid stored chunk in bytes.
  Index most_stored() const { return 2 * chunk_bytes_ + (Index{64} << 10); }

  /// Buffer for a stored chunk of `bytes` bytes, the input of unpack().
  std::byte* hold(Index bytes) { return stored_.hold(bytes); }

  /// Unpacks the chunk in the buffer that hold() returned.
  ///
  /// @param mask  bit i: the i-th filter was not applied when this chunk was written
  /// @returns the bytes of one complete unpacked chunk, valid until the next call; null if the
  ///          chunk is damaged, with fault() set
  std::byte* unpack(Index bytes, unsigned mask);

  /// Description of the fault of the last chunk.
  const char* fault() const { return fault_; }

 private:
  std::byte* fail(const char* fault);
  Bytes& free();
  /// Upper bound of the size in bytes of a chunk while its filters are reversed one after the
  /// other, including the checksums that filters have added.
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
