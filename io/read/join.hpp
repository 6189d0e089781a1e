#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Joins the facts of several datasets, which are concatenated along an axis or stacked along a new
/// one (stack()). The datasets are ordered by their times if all of them have times; otherwise the
/// given order is kept; see timeline_of(). The result is read like a virtual dataset, source by
/// source. Its attributes and scales are those of the first dataset.
///
/// @returns one element; with Gaps::split, one element per stretch of points without a gap in time,
///          in the order of time
/// @param parts  from inspect_part(); at least one
/// @throws WordsError  parts differ in type, axes, extents, sampling rate, unit or packing, or in
///                     requested missing values; a gap, an overlap or a drift of the clocks is not
///                     allowed; only some parts have times; or gaps between integers are to be
///                     filled, but there is no value for this
std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words);

}  // namespace stencil
