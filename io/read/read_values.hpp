#pragma once

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Changes the facts so that reading returns the values that the dataset's numbers represent, see
/// DatasetFacts::reads_values.
///
/// @param facts  facts of a dataset in a file, or of joined datasets
/// @throws WordsError  scale_factor or add_offset is not a single finite number, or scale_factor is
///                     0
void read_values(DatasetFacts& facts);

}  // namespace stencil
