#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Finds the files that contain values of virtual datasets which belong to a dataset. These are its
/// dimension scales, the variables that the attributes of the dataset or of the scales name
/// (`coordinates`, `ancillary_variables`, `bounds` and so on), and `time` and `t` in its group. The
/// run reads none of these files, but the user would lose data if one of them were overwritten.
///
/// @param facts  facts of a dataset in one file, from inspect()
/// @returns paths without duplicates; relative names of sources are taken relative to the folder of
///          the file. Sources of sources are included if they can be inspected. A name with a
///          pattern (`%b`) gives all existing files that match it, see SourcePattern.
/// @throws StorageError  the file cannot be read
std::vector<std::string> sources_beside(const DatasetFacts& facts);

}  // namespace stencil::storage
