#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Checks whether a part can be joined with the first one along an axis, or along a new one if none
/// is given. @throws WordsError  it differs in type, axes, extents, sampling rate, unit, packing or
/// calendar, or only one of them has times
void check_fits(const DatasetFacts& part, const DatasetFacts& first,
                std::optional<std::size_t> axis);

/// The numbers that are missing according to the attributes of a part.
const std::vector<ElementValue>& missing_in(const DatasetFacts& part, const JoinWords& words);

/// Checks that the missing values of the parts' attributes agree, because they apply to all parts
/// together.
/// @throws WordsError  those of the parts differ
void check_missing_values(const DatasetFacts& part, const DatasetFacts& first,
                          const JoinWords& words);

/// Checks that all parts begin at the same time, if they are joined along another axis than that of
/// time.
/// @throws WordsError  they do not, to half a point
void check_same_start(const DatasetFacts& part, const DatasetFacts& first);

}  // namespace stencil
