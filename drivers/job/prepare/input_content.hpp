#pragma once

#include <cstdint>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// A checksum of what an input holds, whatever its files are called: of the bytes of its file and
/// of all files that its points are taken from, and of the facts that decide which points are read
/// and what they mean. Two builds of one version of the program give the same checksum. Files of
/// together 64 MiB or less are read as a whole. Of larger ones 4 KiB are read at as many as 256
/// places of each: a change that touches none of these places is not noticed.
///
/// @throws StorageError  a file cannot be read
std::uint64_t content_of(const DatasetFacts& facts);

}  // namespace stencil
