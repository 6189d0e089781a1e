#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

class StoredDataset;

/// Most bytes that open datasets keep between reads: HDF5's buffers and unpacked chunks; those of
/// the sources in case of a virtual dataset.
Index kept_open_bytes(const DatasetFacts& facts);

/// Reads a virtual dataset source by source. HDF5 itself would take a source that cannot be opened
/// at this moment (too many open files, storage that fails once) for one that does not exist, and
/// hand on fill values without a word.
class VirtualRead {
 public:
  /// @param facts  with mappings; lives as long as this
  explicit VirtualRead(const DatasetFacts& facts);
  ~VirtualRead();

  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// As StoredDataset::read. @throws StorageError  naming the source
  void read(const Piece& whole, const Take& take);

 private:
  const StoredDataset& opened(Index number);

  /// A source that is open.
  struct Open {
    Index number = 0, bytes = 0;
    std::unique_ptr<StoredDataset> dataset;
  };
  const DatasetFacts& facts_;
  std::list<Open> open_;  ///< the last used one last
};

/// Opens every source of a virtual dataset that HDF5 is to read, and theirs: while they are held
/// open, HDF5 hardly has anything to do that could fail.
///
/// @throws StorageError  naming the source
std::vector<Handle> open_sources(const DatasetFacts& facts);

}  // namespace stencil::storage
