#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "framework/grid/box.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// Record of all writes to a file under construction except its blocks of points: HDF5's own
/// structures, attributes and small datasets. Each range of bytes has the checksum of the last
/// write to it, so that all ranges can be read back. The first failed call on the file is recorded,
/// even if HDF5 does not report the failure. Must be owned by a std::shared_ptr. Not thread-safe.
class FileStructure : public std::enable_shared_from_this<FileStructure> {
 public:
  /// Writes bytes to the file and records them. @returns 0 or an errno, which is also passed to
  /// fail()
  int write(int file, const std::byte* from, Index bytes, Index at);
  /// Writes points like write(), but does not record them, because points have checksums elsewhere.
  int write_points(int file, const std::byte* from, Index bytes, Index at);
  /// Sets the length of the file. @returns 0 or an errno, which is also passed to fail()
  int set_length(int file, Index bytes);

  /// Records the failure of a call on the file. @param error  an errno, or 0 for success
  /// @returns the error
  int fail(int error);
  /// Returns the first error; 0 if there was none.
  int error() const { return error_; }

  /// Returns a record for each range, in the order of their positions in the file; `block` is -1.
  std::vector<Written> records() const;

 private:
  struct Range {
    Index bytes;
    std::uint64_t checksum;
  };

  void add(const std::byte* from, Index bytes, Index at);
  int forget(int file, Index first, Index last);

  /// The key is the position of the first byte; the ranges do not overlap.
  std::map<Index, Range> ranges_;
  int error_ = 0;
};

/// Reads ranges back and compares checksums.
///
/// @param file  the open file
/// @param name  name of the file, for messages
/// @throws StorageError  the structure cannot be read, or its bytes differ from those that were
///                       written
void check_structure(int file, const std::string& name, const std::vector<Written>& records);

}  // namespace stencil::storage
