#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/writable_file.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The file under construction on rank 0, open for writing packed chunks.
class PackedTarget {
 public:
  /// @param descriptor  the open file
  /// @param name        name of the file, for messages
  /// @param structure   records all writes except those of chunks
  /// @throws StorageError
  PackedTarget(int descriptor, const std::string& name, const OutputSpec& spec,
               FileStructure& structure);

  /// Writes a packed chunk. @throws StorageError
  void write(Index block, std::span<const std::byte> chunk);
  /// Closes the file. @throws StorageError
  void close();
  /// Positions in the file, in bytes, of the chunks of snapshots, in the order in which they were
  /// written.
  const std::vector<Index>& places() const { return places_; }

 private:
  BlockGrid grid_;
  int descriptor_;
  /// Number of written bytes that the system was not yet asked to write to the disk.
  Index unsent_ = 0;
  Index place_of(const std::vector<hsize_t>& first, Index bytes, Index end_before) const;
  Index end_of_file() const;

  bool keeps_places_;
  std::vector<Index> places_;
  std::string what_;
  WritableFile file_;
  Handle dataset_;
};

/// Writes packed chunks in the order of their numbers, from chunk 0 on, while other threads pack
/// further chunks: each chunk is written to the file as soon as all earlier chunks have arrived.
class OrderedChunks {
 public:
  /// @param target  must outlive this object
  /// @param name    name of the file, for messages
  OrderedChunks(PackedTarget& target, std::string name) : target_(target), name_(std::move(name)) {}

  /// Upper bound of the size of all chunks that wait for earlier chunks, in bytes.
  static constexpr Index most_waiting = Index{32} << 20;

  /// Accepts a chunk. May be called from any thread. @returns false if the chunk would have to wait
  /// for earlier chunks and the memory for waiting chunks is full; neither this chunk nor later
  /// chunks are then written to the file
  /// @throws StorageError
  bool take(Index block, std::span<const std::byte> chunk);
  /// Returns and removes the accepted chunks that are not in the file because an earlier chunk is
  /// missing. The key is the number of the chunk.
  std::map<Index, std::vector<std::byte>> take_back();
  /// Number n of chunks in the file, which are the chunks 0 to n - 1.
  Index written() const { return next_; }

 private:
  void write(Index block, std::span<const std::byte> chunk);

  PackedTarget& target_;
  std::string name_;
  std::mutex mutex_;
  std::map<Index, std::vector<std::byte>> waiting_;
  Index next_ = 0, waiting_bytes_ = 0;
};

}  // namespace stencil::storage
