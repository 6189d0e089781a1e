#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Missing points and their replacement. Every number of the file that equals one of `values`
/// (compared in DatasetFacts::number_type(); NaN matches NaN) or lies outside the valid range is
/// replaced by `replacement` on reading.
struct MissingPoints {
  std::vector<ElementValue> values;
  double replacement = 0;                     ///< usually NaN
  std::optional<ElementValue> low{}, high{};  ///< valid range; std::nullopt if there is no limit
};

/// Checks a missing value given by the user. The dataset's type must be able to represent the value
/// (nan and 0.5 are not integers, 70000 is not an int16); otherwise the value would silently match
/// no point.
///
/// @throws WordsError
void check_missing(const MissingPoints& missing, const DatasetFacts& facts);

}  // namespace stencil
