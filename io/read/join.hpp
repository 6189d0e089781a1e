#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// The facts of several datasets that follow each other along an axis, or along a new one
/// (stack()): in the order of their times if all of them have times, otherwise in the given order;
/// see timeline_of(). They are read as a virtual dataset is, source by source; attributes and
/// scales are those of the first one.
///
/// @returns one element; with Gaps::split one element for each stretch without a gap, in the order
///          of time
/// @param parts  from inspect_part(); one at least
/// @throws WordsError  names parts that differ in type, axes, extents, sampling rate, unit or
///                     packing, or in requested missing values; a gap, an overlap or a drift of the
///                     clocks that is refused; only some parts have times; gaps in integers without
///                     a value to fill them with
std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words);

}  // namespace stencil
