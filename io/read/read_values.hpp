#pragma once

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Makes the points of a dataset the values that its numbers represent, see
/// DatasetFacts::reads_values.
///
/// @param facts  of a dataset of a file, or of several that are joined
/// @throws WordsError  its scale_factor or add_offset is not one finite number, or scale_factor is
///                     0
void read_values(DatasetFacts& facts);

}  // namespace stencil
