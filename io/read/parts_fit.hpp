#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Checks that a part, that is, one of the datasets to be joined, fits the first part for a join
/// along an axis, or along a new axis if `axis` is std::nullopt. @throws WordsError the parts
/// differ in type, axes, extents, sampling rate, unit, packing or calendar, or only one of the two
/// has times
void check_fits(const DatasetFacts& part, const DatasetFacts& first,
                std::optional<std::size_t> axis);

/// Returns the values that are missing according to the attributes of a part.
const std::vector<ElementValue>& missing_in(const DatasetFacts& part, const JoinWords& words);

/// Checks that the attributes of the parts give the same missing values, because there is one list
/// of missing values for all parts.
/// @throws WordsError  the missing values differ
void check_missing_values(const DatasetFacts& part, const DatasetFacts& first,
                          const JoinWords& words);

/// Checks that all parts begin at the same time if they are joined along an axis other than time.
/// @throws WordsError  the times differ by more than half a point
void check_same_start(const DatasetFacts& part, const DatasetFacts& first);

}  // namespace stencil
