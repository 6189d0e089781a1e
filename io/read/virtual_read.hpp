#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/point_reader.hpp"

namespace stencil::storage {

/// Upper bound of the memory in bytes that an open dataset keeps between reads: HDF5's buffers and
/// unpacked chunks; for a virtual dataset, the buffers and chunks of its sources.
Index kept_open_bytes(const DatasetFacts& facts);

/// Reads a virtual dataset source by source. HDF5 would treat a source that temporarily cannot be
/// opened (too many open files, failing storage) as missing, and silently return fill values.
/// Several threads may read at the same time.
class VirtualRead {
 public:
  /// Opens a source.
  using OpenSource = std::function<std::shared_ptr<const PointReader>(const DatasetFacts& source)>;

  /// @param facts  must have mappings and outlive this object
  VirtualRead(const DatasetFacts& facts, OpenSource open);
  ~VirtualRead();

  using Take = PointReader::Take;

  /// Like PointReader::read(). @throws StorageError  names the source
  void read(const Piece& whole, const Take& take);

 private:
  std::shared_ptr<const PointReader> opened(Index number);

  /// An open source.
  struct Open {
    Index number = 0, bytes = 0;
    std::shared_ptr<const PointReader> dataset;
  };
  const DatasetFacts& facts_;
  OpenSource open_source_;
  std::mutex mutex_;      ///< protects the list
  std::list<Open> open_;  ///< least recently used first
};

/// Opens all sources, direct and indirect, of a virtual dataset before HDF5 reads it. If HDF5
/// itself fails to open a source, it treats the source as absent and returns fill values.
///
/// @throws StorageError  names the source
std::vector<Handle> open_sources(const DatasetFacts& facts);

}  // namespace stencil::storage
