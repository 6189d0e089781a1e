#pragma once

#include <cstdint>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Returns a checksum of the content of an input, independent of the file names. The checksum
/// covers the bytes of the input's file and of all files that contain its points, and the facts
/// that determine which points are read and how they are interpreted. Two builds of one version of
/// the program compute the same checksum. Files with a total size of at most 64 MiB are read as a
/// whole. Otherwise 4 KiB are read at up to 256 positions of each file, and a change elsewhere is
/// not noticed.
///
/// @throws StorageError  a file cannot be read
std::uint64_t content_of(const DatasetFacts& facts);

}  // namespace stencil
