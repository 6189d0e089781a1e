#pragma once

#include <array>
#include <vector>

#include "drivers/pipeline/chain.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Extends a selection by the points beyond its ends that masks need, as far as the dataset has
/// such points. The outputs of the selection are then equal to those of the whole dataset.
///
/// @param chain  bound to the selection `whole.wanted`
/// @param form   the form of the selection
/// @returns one element for each axis of the dataset
std::vector<AxisSelection> with_margins(const DatasetFacts& whole, const Chain& chain,
                                        const NormalForm& form);

/// Returns the outputs that the stages of a chain compute on an extended selection, such that the
/// final outputs are those of the original selection.
///
/// @param chain   bound to the selection without extension
/// @param before  number of points that were added before the selection, along each normal axis
std::vector<std::array<Crop, axes>> crops_of(const Chain& chain, Point before);

}  // namespace stencil
