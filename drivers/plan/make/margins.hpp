#pragma once

#include <array>
#include <vector>

#include "drivers/pipeline/chain.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// A selection extended by the points beyond its ends that masks need, if the dataset has them. Its
/// outputs are then those of the whole dataset, cut to the selection.
///
/// @param chain  bound to the selection `whole.wanted`
/// @param form   the form of the selection
/// @returns per dataset axis
std::vector<AxisSelection> with_margins(const DatasetFacts& whole, const Chain& chain,
                                        const NormalForm& form);

/// The outputs that the stages of a chain compute on a selection with margins, so that the final
/// outputs are those of the selection itself.
///
/// @param chain   bound to the selection without margins
/// @param before  points that were added before its first one, along each normal axis
std::vector<std::array<Crop, axes>> crops_of(const Chain& chain, Point before);

}  // namespace stencil
