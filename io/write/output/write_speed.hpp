#pragma once

#include <string>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Speeds in bytes per second.
struct WriteSpeed {
  double write = 0, read_back = 0;
};

/// Memory in bytes that measure_writing() uses.
inline constexpr Index writing_speed_bytes = Index{32} << 20;

/// Measures the speeds of writing and reading. Writes up to `bytes` bytes to an unnamed file in the
/// folder of an output, like an OutputFile::Stream but with several threads, flushes the file to
/// the disk and reads it back. The file disappears at the end of the call. Not collective, but
/// ranks that share a disk call it at the same time.
///
/// @param output   file name of the output
/// @param seconds  approximate limit of the time for writing
/// @throws StorageError, MemoryError
WriteSpeed measure_writing(const std::string& output, Index bytes, double seconds);

}  // namespace stencil
