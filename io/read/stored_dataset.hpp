#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

class ChunkedFile;
class DirectFile;
class VirtualRead;

/// An open dataset that gives its points as they are stored, in the element type of this machine,
/// by the fastest way that its layout allows.
class StoredDataset {
 public:
  /// @param facts  live as long as this
  /// @throws StorageError  the file changed since it was probed, or cannot be opened
  explicit StoredDataset(const DatasetFacts& facts);
  ~StoredDataset();
  StoredDataset(const StoredDataset&) = delete;
  StoredDataset& operator=(const StoredDataset&) = delete;

  /// What is done with n points, from the k-th point of the hyperslab on; on any thread. It throws
  /// nothing.
  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// Reads a hyperslab; every point is taken once. @throws StorageError
  void read(const Piece& whole, const Take& take) const;

  /// Compares the file, and the sources of a virtual dataset, with what the probe saw.
  /// @throws StorageError
  void check_unchanged() const;

 private:
  void open_ways(hid_t type, bool reads_chunks);
  void read_by_any_way(const Piece& whole, const Take& take) const;
  void read_in_pieces(const Piece& whole, const Take& take) const;

  const DatasetFacts& facts_;
  std::string where_;
  Handle file_;
  std::vector<Handle> held_;              ///< sources that HDF5 is to find open
  Handle dataset_, first_type_;           ///< see first_memory_type()
  std::unique_ptr<DirectFile> direct_;    ///< where HDF5 can be passed by
  std::unique_ptr<ChunkedFile> chunked_;  ///< where only its records of chunks are needed
  std::unique_ptr<VirtualRead> sources_;  ///< where it would hide that a source fails
};

}  // namespace stencil::storage
