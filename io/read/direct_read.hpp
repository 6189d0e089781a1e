#pragma once

#include <functional>
#include <string>

#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// Reads a contiguous dataset of native element type without HDF5, with several threads. Other
/// methods of reading do not reach the speed of the page cache.
class DirectFile {
 public:
  /// @param offset  offset of the first point in the file in bytes
  /// @throws StorageError
  DirectFile(const std::string& file, const std::string& where, Index offset, Index element_bytes);
  ~DirectFile();
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;

  /// Receives n points, beginning with the k-th point of the hyperslab. Called from any thread.
  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// Reads a hyperslab of a dataset of shape `dims`. If the contiguous runs of points of the
  /// hyperslab are short, longer pieces of the file are read, and the points are extracted from
  /// them.
  ///
  /// @returns false, without reading anything, if the hyperslab consists of short runs that are far
  ///          apart
  /// @throws StorageError
  bool read(const std::vector<Index>& dims, const Piece& piece, const Take& take) const;

 private:
  struct Rows;
  static Rows rows_of(const std::vector<Index>& dims, const Piece& piece, Index element_bytes);
  void read_rows(const std::vector<Index>& dims, const Rows& rows, const Take& take) const;
  void throw_if(int error) const;
  int error_of_block(const Runs& runs, Index first, Index n, std::byte* buffer) const;

  int descriptor_ = -1;
  std::string where_;
  Index offset_ = 0, element_bytes_ = 1;
};

}  // namespace stencil::storage
