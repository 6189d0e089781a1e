#pragma once

#include <cstddef>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// The facts of several datasets of one shape as one dataset with a new axis before their axes:
/// index i along the new axis is the i-th of the datasets, in the given order. Attributes and
/// scales are those of the first dataset; a scale of axis i of that dataset belongs to axis i + 1
/// of the result.
///
/// @param parts  from inspect_part(); at least one
/// @throws WordsError  names parts that differ in type, shape, sampling rate, unit or packing, or
///                     in requested missing values
DatasetFacts stack(std::vector<DatasetFacts> parts, const JoinWords& words);

/// Whether a dataset, or the one that a selection is of, is made by stack().
bool is_stacked(const DatasetFacts& facts);

/// Axes of a dataset before those of the dataset that its metadata belong to: 1 after stack().
std::size_t new_axes(const DatasetFacts& facts);

}  // namespace stencil
