#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// What happens where the times of joined datasets leave points out; an overlap is always refused.
enum class Gaps { refuse, fill, split };

/// How datasets are joined.
struct JoinWords {
  std::optional<int> axis;  ///< negative from the last; nothing: the sampled one, else the first
  Gaps gaps = Gaps::refuse;
  std::optional<ElementValue> fill;  ///< of points in gaps; nothing: NaN
  /// Points are missing that have the values which the first dataset's attributes name; gaps are
  /// filled with the first of them.
  bool missing_by_attributes = false;
  bool missing_unasked = false;  ///< of these, DatasetFacts::missing_unasked instead of all
};

/// The facts of several datasets that follow each other along an axis: in the order of their times
/// where all of them tell them, else as they are given. They are read as a virtual dataset is,
/// source by source; attributes and scales are those of the first one.
///
/// @returns one; for Gaps::split one for each stretch without a gap, in the order of time
/// @param parts  from inspect_part(); one at least
/// @throws WordsError  the parts differ in type, axes, extents, sampling rate, unit or packing, or
///                     in missing values that are asked for; a gap or an overlap between two of
///                     them; some tell times and others none; gaps in integers without a value to
///                     fill them with. Names them
std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words);

}  // namespace stencil
