#pragma once

#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Checks that a configuration has a meaning for complex numbers; does nothing for real ones.
///
/// @param masks  of the stages
/// @throws WordsError  naming the key
void check_complex(const Config& config, const std::vector<StageMask>& masks,
                   const DatasetFacts& facts);

/// Checks that complex taps are possible; does nothing if all taps are real.
///
/// @param active  the axes that masks run along
/// @throws WordsError  naming the key
void check_complex_taps(const Config& config, const std::vector<StageMask>& masks,
                        const std::vector<int>& active, const DatasetFacts& facts);

/// Returns a note that says which member of a compound is read as the real part and which as the
/// imaginary part. The note is empty if the names of the members leave no doubt, and for real
/// numbers.
std::string note_on_parts(const DatasetFacts& facts);

}  // namespace stencil
