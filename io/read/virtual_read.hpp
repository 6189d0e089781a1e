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

/// Upper bound of the bytes that open datasets keep between reads: HDF5's buffers and unpacked
/// chunks; of a virtual dataset, those of its sources.
Index kept_open_bytes(const DatasetFacts& facts);

/// Reads a virtual dataset source by source. HDF5 itself treats a source that temporarily cannot be
/// opened (too many open files, failing storage) as missing, and silently returns fill values.
/// Several threads may read at the same time.
class VirtualRead {
 public:
  /// Opens a source.
  using OpenSource = std::function<std::shared_ptr<const PointReader>(const DatasetFacts& source)>;

  /// @param facts  with mappings; must outlive this object
  VirtualRead(const DatasetFacts& facts, OpenSource open);
  ~VirtualRead();

  using Take = PointReader::Take;

  /// As PointReader::read. @throws StorageError  naming the source
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
  std::mutex mutex_;      ///< of the list
  std::list<Open> open_;  ///< least recently used first
};

/// Opens all sources, direct and indirect, of a virtual dataset that HDF5 will read. While they
/// stay open, HDF5 need not open them, which could fail.
///
/// @throws StorageError  naming the source
std::vector<Handle> open_sources(const DatasetFacts& facts);

}  // namespace stencil::storage
