#pragma once

#include <cstdint>
#include <string>

#include "framework/grid/box.hpp"

namespace stencil::storage {

/// The seal at the end of a file that this program reads again: a checksum of all its bytes except
/// the points, which have separate checksums. HDF5 ignores bytes after its own content.
struct FileSeal {
  Interval points;             ///< bytes of the points in the file
  std::uint64_t checksum = 0;  ///< see checksum_around()
};

/// Checksum (XXH3-64) of the bytes [0, points.first) and [points.last, end) of an open file, and of
/// these three numbers.
///
/// @param name  name of the file, for messages
/// @throws StorageError  the file cannot be read, or ends before `end`
std::uint64_t checksum_around(int file, const Interval& points, Index end, const std::string& name);

/// Appends the seal to a file that is otherwise finished.
///
/// @param file    the open file; only its path is used
/// @param points  bytes of the points in the file
/// @throws StorageError  the file cannot be read, or the disk is full
void write_seal(int file, const std::string& name, const Interval& points);

/// Returns whether a file ends with the mark of a seal. A few bytes of the mark may be damaged.
/// The function does not check the sealed content.
///
/// @param bytes  length of the file
/// @returns false if the end of the file cannot be read
bool ends_with_seal(int file, Index bytes);

/// Reads the seal of a file and checks the bytes outside the points against the seal. The function
/// uses at most 1 MiB of memory, whatever the size of the file.
///
/// @throws StorageError  the file is unreadable, is not an HDF5 file, has no seal, or is damaged
///                       outside the points
FileSeal checked_seal(const std::string& file);

}  // namespace stencil::storage
