#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/files_in_use.hpp"
#include "io/read/point_reader.hpp"

namespace stencil::storage {

class ChunkedFile;
class DirectFile;
class VirtualRead;

/// An open dataset that is read by the fastest method for its layout.
class StoredDataset : public PointReader {
 public:
  /// @param facts  must outlive this object; for complex numbers, the result of with_parts()
  /// @param kept   size of the cache of unpacked chunks in bytes, see ChunkedFile
  /// @throws StorageError  the file changed since it was probed, or cannot be opened
  explicit StoredDataset(const DatasetFacts& facts, Index kept = 0);
  ~StoredDataset() override;
  StoredDataset(const StoredDataset&) = delete;
  StoredDataset& operator=(const StoredDataset&) = delete;

  void read(const Piece& whole, const Take& take) const override;
  void check_unchanged() const override;

 private:
  void open_ways(hid_t type, bool reads_chunks, Index kept);
  void read_by_any_way(const Piece& whole, const Take& take) const;
  void read_in_pieces(const Piece& whole, const Take& take) const;
  void read_numbers(const Piece& piece, std::byte* points) const;

  const DatasetFacts& facts_;
  const FilesInUse in_use_;
  std::string where_;
  Handle file_;
  std::vector<Handle> held_;  ///< sources kept open for HDF5
  Handle dataset_;
  std::optional<ComplexType> complex_;  ///< std::nullopt for real numbers
  /// Type that HDF5 reads, and type of the numbers in the bytes that were read.
  Handle read_type_, first_type_;
  std::unique_ptr<DirectFile> direct_;    ///< reader for contiguous points of native type
  std::unique_ptr<ChunkedFile> chunked_;  ///< reader for chunks whose filters Unpacker supports
  std::unique_ptr<VirtualRead> sources_;  ///< reader for virtual datasets with known mappings
};

}  // namespace stencil::storage
