#pragma once

#include <array>
#include <vector>

#include "drivers/pipeline/chain.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// A selection together with the points beyond its ends that masks reach, as far as the dataset has
/// them: with these its outputs are those of the whole dataset, cut.
///
/// @param chain  bound to the selection `whole.wanted`
/// @param form   of the selection
/// @returns per dataset axis
std::vector<AxisSelection> with_margins(const DatasetFacts& whole, const Chain& chain,
                                        const NormalForm& form);

/// Which outputs the stages of a chain compute on a selection with margins, so that the last ones
/// are those of the selection itself.
///
/// @param chain   bound to the selection without margins
/// @param before  points that were added before its first one, along each normal axis
std::vector<std::array<Crop, axes>> crops_of(const Chain& chain, Point before);

}  // namespace stencil
