#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Joins the facts of several datasets, which are concatenated along an axis or stacked along a new
/// one (stack()). The order is that of their times if all of them have times, otherwise the given
/// order; see timeline_of(). The result is read like a virtual dataset, source by source. Its
/// attributes and scales are those of the first dataset.
///
/// @returns one element; with Gaps::split one element per stretch without a gap, in the order of
///          time
/// @param parts  from inspect_part(); at least one
/// @throws WordsError  parts differ in type, axes, extents, sampling rate, unit or packing, or in
///                     requested missing values; a gap, an overlap or a drift of the clocks is not
///                     allowed; only some parts have times; gaps in integers without a value to
///                     fill them with
std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words);

}  // namespace stencil
