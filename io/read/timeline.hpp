#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// A run of points of one part, that is, of one of the datasets to be joined, along the joined
/// axis.
struct TimelinePiece {
  std::size_t part = 0;
  Index first = 0, count = 0;  ///< index of the run's first point in the part; number of points
  /// Index of the first point in the joined dataset, in which gaps also have indices.
  Index place = 0;
};

/// The positions of all parts. Between consecutive pieces there may be a gap.
struct Timeline {
  std::vector<TimelinePiece> pieces;  ///< in ascending order of `place`, from 0 on
  std::vector<std::string> notes;     ///< notes on drifting clocks, leap seconds and overlaps
};

/// Determines the positions of the points of each part along the joined axis from the times of the
/// part and from JoinWords::clock. Times and positions have to agree within half a point. An
/// overlap of one second at a leap second is not treated as an overlap.
///
/// @param parts  have times along the joined axis, in the order of their first points
/// @param axis   the joined axis
/// @param rate   points per second; 0 if unknown: only the order of the parts is then checked
/// @throws WordsError  there is a gap or an overlap that `words` does not allow, or any overlap if
///                     the rate is unknown
Timeline timeline_of(const std::vector<DatasetFacts>& parts, std::size_t axis, double rate,
                     const JoinWords& words);

/// Name of a part's file in messages, with the dataset if the other part is in the same file.
std::string name_beside(const DatasetFacts& part, const DatasetFacts& other);

}  // namespace stencil
