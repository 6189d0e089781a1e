#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/chunks.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/kept_chunks.hpp"
#include "io/read/native_numbers.hpp"

namespace stencil::storage {

/// Number of threads that unpack chunks of a dataset, and the memory in bytes that each thread
/// uses.
struct ChunkReaders {
  Index threads = 1, bytes_each = 0;
};

/// Returns the number of threads that unpack chunks of a dataset, and the memory of each thread.
/// @param threads  upper bound; fewer threads are used if there are few chunks or the chunks are
///                 large
ChunkReaders chunk_readers(const DatasetFacts& facts, Index threads);

/// Reads a chunked dataset whose filters are implemented by this program, with several threads.
/// Several threads may call read() at the same time. Unlike HDF5, this class checks that each chunk
/// unpacks to the right number of bytes.
class ChunkedFile {
 public:
  /// @param dataset  an open dataset; must outlive this object
  /// @param facts    facts of the dataset
  /// @param kept     size in bytes of the cache of unpacked chunks; the cache is useful if reads
  ///                 overlap. If 0, the cache has the size of one row of chunks, and keeps only
  ///                 chunks that were read in part
  ChunkedFile(hid_t dataset, const DatasetFacts& facts, const std::string& where, Index kept);

  /// Returns whether the chunks of a dataset can be read by this class.
  static bool can_read(hid_t dataset, const DatasetFacts& facts, const std::string& where);

  /// Receives n points of the native element type, beginning with the k-th point of the hyperslab.
  /// Called from any thread.
  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// Reads a hyperslab. If DatasetFacts::unwritten is not 0, the points of chunks that were never
  /// written have the fill value.
  /// @throws StorageError  a chunk is missing or damaged, or has a wrong number of bytes
  void read(const Piece& piece, const Take& take) const;

 private:
  struct Worker;
  const std::byte* unpacked(Index n, Worker& worker) const;
  bool is_unwritten(Index n) const;
  const std::byte* filled(Worker& worker) const;
  void keep_or_give_up(Index n, const Piece& needed, Worker& worker) const;
  void pick_part(Index part, Piece& whole, Worker& worker) const;
  void read_chunk(Index n, const Piece& piece, const Take& take, Worker& worker) const;

  hid_t dataset_;
  std::string where_;
  /// Layout of the numbers, including the axis of the parts of complex numbers.
  ChunkLayout layout_;
  bool is_complex_ = false;
  ElementType type_;
  /// Value of points in chunks that were never written; std::nullopt if all chunks were written.
  std::optional<ElementValue> fill_;
  NativeNumbers numbers_;
  Index most_threads_ = 1;
  bool keeps_all_ = false;
  mutable KeptChunks kept_;
};

}  // namespace stencil::storage
