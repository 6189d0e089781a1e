#pragma once

#include <cstddef>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Combines the facts of several datasets of one shape into the facts of one dataset, which has a
/// new axis in front of the axes of these datasets: index i along the new axis is the i-th dataset
/// in the given order. Attributes and scales are those of the first dataset; a scale of its axis i
/// belongs to axis i + 1 of the result.
///
/// @param parts  from inspect_part(); at least one
/// @throws WordsError  parts differ in type, shape, sampling rate, unit or packing, or in requested
///                     missing values
DatasetFacts stack(std::vector<DatasetFacts> parts, const JoinWords& words);

/// Returns whether a dataset, or the dataset from which a selection was made, was made by stack().
bool is_stacked(const DatasetFacts& facts);

/// Number of leading axes that the metadata of a dataset do not describe: 1 after stack(), else 0.
std::size_t new_axes(const DatasetFacts& facts);

}  // namespace stencil
