#pragma once

#include <string>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Bytes per second.
struct WriteSpeed {
  double write = 0, read_back = 0;
};

/// Bytes of memory that measure_writing() takes.
inline constexpr Index writing_speed_bytes = Index{32} << 20;

/// Writes up to `bytes` into a file without a name in the folder of an output, as an
/// OutputFile::Stream writes, with several threads, flushes it to the disk and reads it back. The
/// file is removed when the call ends. Not collective: ranks that share a disk call at the same
/// time.
///
/// @param output   file name of the output
/// @param seconds  that it may take to write, approximately
/// @throws StorageError, MemoryError
WriteSpeed measure_writing(const std::string& output, Index bytes, double seconds);

}  // namespace stencil
