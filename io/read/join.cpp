#include "io/read/join.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/joined_row.hpp"
#include "io/read/parts_fit.hpp"
#include "io/read/stack.hpp"
#include "io/read/timeline.hpp"

namespace stencil {
namespace {

std::string name_of_part(const DatasetFacts& part) {
  return storage::qualified_name(part.file, part.dataset);
}

/// Returns the part with which the others are compared: the first part that has a rate, because a
/// part with a single point may have no rate.
DatasetFacts model_of(const std::vector<DatasetFacts>& parts) {
  for (const DatasetFacts& part : parts)
    for (const double rate : part.sampling_rate)
      if (rate > 0) return part;
  return parts.front();
}

/// Returns the axis of the join: the requested axis, or else the first axis that has a sampling
/// rate or times.
std::size_t joined_axis(const DatasetFacts& first, const JoinWords& words) {
  const int rank = static_cast<int>(first.dims.size());
  if (words.axis) {
    const int axis = *words.axis < 0 ? *words.axis + rank : *words.axis;
    if (axis < 0 || axis >= rank)
      throw WordsError(fmt::format("input.join = {}: {} has {} axes, write 0 to {} or -1 to -{}",
                                   *words.axis, name_of_part(first), rank, rank - 1, rank));
    return static_cast<std::size_t>(axis);
  }
  for (std::size_t axis = 0; axis < first.sampling_rate.size(); ++axis)
    if (first.sampling_rate[axis] > 0) return axis;
  if (first.times) return static_cast<std::size_t>(first.times->axis);
  const int axis = words.sampled_axis.value_or(0);
  const int from_first = axis < 0 ? axis + rank : axis;
  return from_first < 0 || from_first >= rank ? 0 : static_cast<std::size_t>(from_first);
}

bool is_earlier(const DatasetFacts& part, const DatasetFacts& other) {
  return part.times.value_or(TimeSpan()).first < other.times.value_or(TimeSpan()).first;
}

/// Places the parts in their order without using times.
Timeline in_order(const std::vector<DatasetFacts>& parts, std::size_t axis) {
  Timeline timeline;
  Index place = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    timeline.pieces.push_back({i, 0, parts[i].dims[axis], place});
    place = checked_add(place, parts[i].dims[axis]);
  }
  if (!parts.front().times)
    timeline.notes.emplace_back(
        "no times are found in the files that are joined: they follow each other in the order in "
        "which input.file names them, those of a pattern by their names, and gaps between them "
        "cannot be seen");
  return timeline;
}

std::vector<DatasetFacts> rows_of(const Timeline& timeline, const std::vector<DatasetFacts>& parts,
                                  std::size_t axis, const JoinWords& words) {
  std::vector<DatasetFacts> stretches;
  std::size_t first = 0;  // index of the stretch's first part
  Index begin = 0;        // position at which the stretch begins
  std::optional<JoinedRow> row;
  for (const TimelinePiece& piece : timeline.pieces) {
    const Index missing = row ? piece.place - begin - row->points() : 0;
    if (row && missing > 0 && words.gaps == Gaps::split) {
      stretches.push_back(row->finish());
      row.reset();
    } else if (missing > 0) {
      row->fill(missing);
    }
    if (!row) {
      row.emplace(parts[piece.part], axis, piece.first, words);
      first = piece.part;
      begin = piece.place;
    }
    if (words.missing_by_attributes) check_missing_values(parts[piece.part], parts[first], words);
    row->add(parts[piece.part], piece.part, piece.first, piece.count);
  }
  stretches.push_back(row->finish());
  return stretches;
}

}  // namespace

std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words) {
  if (words.is_new) return {stack(std::move(parts), words)};
  const DatasetFacts like = model_of(parts);
  const std::size_t axis = joined_axis(like, words);
  for (const DatasetFacts& part : parts) check_fits(part, like, axis);
  const bool in_time = like.times && static_cast<std::size_t>(like.times->axis) == axis;
  if (in_time)
    std::stable_sort(parts.begin(), parts.end(), is_earlier);
  else
    for (const DatasetFacts& part : parts) check_same_start(part, like);
  for (DatasetFacts& part : parts) {
    part.sampling_rate = like.sampling_rate;
    part.sampling_source = like.sampling_source;
  }
  const Timeline timeline =
      in_time ? timeline_of(parts, axis, like.sampling_rate[axis], words) : in_order(parts, axis);
  std::vector<DatasetFacts> stretches = rows_of(timeline, parts, axis, words);
  std::vector<std::string>& notes = stretches.front().join_notes;
  notes = timeline.notes;
  for (const DatasetFacts& part : parts)
    if (words.gaps == Gaps::refuse || !in_time || part.holes.empty()) add_notes_of(part, notes);
  return stretches;
}

}  // namespace stencil
