#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Points of one part in a row along the joined axis.
struct TimelinePiece {
  std::size_t part = 0;
  Index first = 0, count = 0;  ///< points of the part
  Index place = 0;             ///< of the first of them in the joined dataset, gaps included
};

/// The places of all parts. Between two pieces lies a gap, or nothing.
struct Timeline {
  std::vector<TimelinePiece> pieces;  ///< in the order of their places; the first one's place is 0
  std::vector<std::string> notes;     ///< on drifting clocks, leap seconds and overlaps
};

/// Gives each part its position along the joined axis, by its times and the clock of `words`. A
/// time is compared with the position to half a point. An overlap of one second at a leap second is
/// not an overlap.
///
/// @param parts  with times along the joined axis, in the order of their first points
/// @param axis   the joined one
/// @param rate   points per second; 0: unknown, and only the order of the parts is checked
/// @throws WordsError  a gap or an overlap that `words` refuse; an overlap if no rate is known
Timeline timeline_of(const std::vector<DatasetFacts>& parts, std::size_t axis, double rate,
                     const JoinWords& words);

/// The file of a part, for messages; with its dataset where the other part is of the same file.
std::string name_beside(const DatasetFacts& part, const DatasetFacts& other);

}  // namespace stencil
