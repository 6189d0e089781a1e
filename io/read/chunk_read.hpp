#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/hdf5/chunks.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil::storage {

/// Threads that unpack chunks of a dataset, and the memory that each takes.
struct ChunkReaders {
  Index threads = 1, bytes_each = 0;
};

/// @param threads  at most; fewer where there are fewer chunks or they are large
ChunkReaders chunk_readers(const DatasetFacts& facts, Index threads);

/// Chunks that were needed in part only, kept unpacked for the next read.
class KeptChunks {
 public:
  using Points = std::shared_ptr<const std::vector<std::byte>>;

  explicit KeptChunks(Index most_bytes) : most_(most_bytes) {}
  /// The n-th chunk, which counts as used now; null if it is not kept.
  Points find(Index n);
  /// Takes the n-th chunk in, in place of those whose last use is longest ago.
  void keep(Index n, Points points);

 private:
  struct Kept {
    Points points;
    std::list<Index>::iterator use;
  };
  Index most_, bytes_ = 0;
  std::list<Index> uses_;  ///< oldest first
  std::unordered_map<Index, Kept> chunks_;
};

/// A chunked dataset whose filters this program undoes itself, by several threads: faster than
/// HDF5, which never compares how many bytes a chunk unpacks to with how many it should have.
class ChunkedFile {
 public:
  /// @param dataset  open as long as this; `facts` are its own
  ChunkedFile(hid_t dataset, const DatasetFacts& facts, const std::string& where);

  /// Whether its chunks can be read this way.
  static bool can_read(hid_t dataset, const DatasetFacts& facts, const std::string& where);

  /// What is done with n points in the element type of this machine, from the k-th point of the
  /// hyperslab on; on any thread.
  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// @throws StorageError  a chunk is missing, is damaged or has not the bytes that it should have
  void read(const Piece& piece, const Take& take) const;

 private:
  struct Worker;
  const std::byte* unpacked(Index n, Worker& worker) const;
  const std::byte* native(std::byte* points, Worker& worker) const;
  void read_chunk(Index n, const Piece& piece, const Take& take, Worker& worker) const;

  hid_t dataset_;
  std::string where_;
  ChunkLayout layout_;
  ElementType type_;
  Handle file_type_, first_type_;                ///< see first_memory_type()
  bool is_native_ = false, is_swapped_ = false;  ///< as this machine has it; but for its byte order
  Index most_threads_ = 1;
  mutable KeptChunks kept_;
};

}  // namespace stencil::storage
