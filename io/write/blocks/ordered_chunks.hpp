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

/// The file under construction, open for packed chunks. On rank 0.
class PackedTarget {
 public:
  /// @param descriptor  the file, open
  /// @param name        the name of the file, for messages
  /// @param structure   records what is written besides the chunks
  /// @throws StorageError
  PackedTarget(int descriptor, const std::string& name, const OutputSpec& spec,
               FileStructure& structure);

  /// @throws StorageError
  void write(Index block, std::span<const std::byte> chunk);
  /// @throws StorageError
  void close();
  /// Where in the file the chunks of snapshots lie that were written, in that order, in bytes.
  const std::vector<Index>& places() const { return places_; }

 private:
  BlockGrid grid_;
  int descriptor_;
  Index unsent_ = 0;  ///< bytes that the system was not yet asked to write to the disk
  Index place_of(const std::vector<hsize_t>& first, Index bytes, Index end_before) const;
  Index end_of_file() const;

  bool keeps_places_;
  std::vector<Index> places_;
  std::string what_;
  WritableFile file_;
  Handle dataset_;
};

/// Writes packed chunks in the order of their numbers, from chunk 0 on, while other threads pack
/// further chunks: each is written to the file as soon as all earlier ones have arrived.
class OrderedChunks {
 public:
  /// @param target  must outlive this object
  /// @param name    the name of the file, for messages
  OrderedChunks(PackedTarget& target, std::string name) : target_(target), name_(std::move(name)) {}

  /// Bytes of chunks that may wait for earlier ones.
  static constexpr Index most_waiting = Index{32} << 20;

  /// Takes a chunk, from any thread. @returns false if it would have to wait and there is no room:
  /// then neither this chunk nor any later one will be written to the file
  /// @throws StorageError
  bool take(Index block, std::span<const std::byte> chunk);
  /// The chunks taken that are not in the file, as one before them never came; in order.
  std::map<Index, std::vector<std::byte>> take_back();
  /// Chunks in the file: those before this one.
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
