#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// The files that hold the values of the virtual datasets which belong to a dataset: its dimension
/// scales, the variables that its attributes and those of its scales name (`coordinates`,
/// `ancillary_variables`, `bounds` ...), and `time` and `t` in its group. The run reads none of
/// these files, but the user's data are lost if one of them is overwritten.
///
/// @param facts  of a dataset of one file, from inspect()
/// @returns paths, each once: a relative name is relative to the folder of the file. Sources of
///          sources are listed if they can be inspected. A name with a pattern (`%b`) gives all
///          existing files that match it, see SourcePattern.
/// @throws StorageError  the file cannot be read
std::vector<std::string> sources_beside(const DatasetFacts& facts);

}  // namespace stencil::storage
