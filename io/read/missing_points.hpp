#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Replaces missing points while reading: every number of the file that equals one of `values`
/// (compared in DatasetFacts::number_type(); NaN matches NaN) or lies outside the valid range
/// becomes `replacement`.
struct MissingPoints {
  std::vector<ElementValue> values;
  double replacement = 0;                     ///< usually NaN
  std::optional<ElementValue> low{}, high{};  ///< of valid numbers; std::nullopt: no limit
};

/// Checks a missing value given by the user. The dataset's type must be able to represent it (nan
/// and 0.5 are not integers, 70000 is not an int16), otherwise it would match nothing without an
/// error.
///
/// @throws WordsError
void check_missing(const MissingPoints& missing, const DatasetFacts& facts);

}  // namespace stencil
