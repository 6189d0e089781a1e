#pragma once

#include <cstdint>
#include <string>

#include "framework/grid/box.hpp"

namespace stencil::storage {

/// The last bytes of a file that this program reads again: a checksum of all its bytes but the
/// points, which have checksums of their own. HDF5 does not look at what follows its own content.
struct FileSeal {
  Interval points;             ///< their bytes in the file
  std::uint64_t checksum = 0;  ///< see checksum_around()
};

/// Checksum (XXH3-64) of the bytes [0, points.first) and [points.last, end) of an open file, and of
/// these three numbers.
///
/// @param name  of the file, for messages
/// @throws StorageError  it cannot be read, or ends before `end`
std::uint64_t checksum_around(int file, const Interval& points, Index end, const std::string& name);

/// Appends the seal to a file that is otherwise finished.
///
/// @param file    open, for its path only
/// @param points  bytes of the points in the file
/// @throws StorageError  no room, or unreadable
void write_seal(int file, const std::string& name, const Interval& points);

/// Whether a file ends with the mark of a seal, but for a few damaged bytes of the mark. Says
/// nothing of what is sealed.
///
/// @param bytes  length of the file
/// @returns false also where the end cannot be read
bool ends_with_seal(int file, Index bytes);

/// Reads the seal of a file and compares the bytes outside the points with it; at most 1 MiB of
/// memory is taken, whatever the file holds.
///
/// @throws StorageError  unreadable; not an HDF5 file; not sealed; damaged outside the points
FileSeal checked_seal(const std::string& file);

}  // namespace stencil::storage
