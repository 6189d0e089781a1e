#include "io/read/join.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/parts_fit.hpp"
#include "io/read/timeline.hpp"

namespace stencil {
namespace {

std::string name_of_part(const DatasetFacts& part) {
  return storage::qualified_name(part.file, part.dataset);
}

/// The part that the others have to fit: the first that tells a rate, as one of a single point may
/// not.
DatasetFacts model_of(const std::vector<DatasetFacts>& parts) {
  for (const DatasetFacts& part : parts)
    for (const double rate : part.sampling_rate)
      if (rate > 0) return part;
  return parts.front();
}

/// The axis of the join: as asked, else the first that has a sampling rate or times.
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

/// What fills gaps.
ElementValue fill_for(const DatasetFacts& first, const JoinWords& words) {
  if (words.fill) return *words.fill;
  if (words.missing_by_attributes && !missing_in(first, words).empty())
    return missing_in(first, words).front();
  const bool floating = first.type == ElementType::float32 || first.type == ElementType::float64;
  if (floating) return std::numeric_limits<double>::quiet_NaN();
  throw WordsError(
      fmt::format("input.gaps = fill: {} holds {}, which has no NaN: write missing.value = NUMBER, "
                  "which the gaps are then filled with",
                  name_of_part(first), to_string(first.type)));
}

/// Records the files of a part, itself and those of its virtual sources.
void add_files(const DatasetFacts& part, DatasetFacts& joined) {
  const auto add = [&](const std::string& file, Index bytes, Index modified) {
    if (file == joined.file || (!joined.sources.empty() && file == joined.sources.back())) return;
    joined.sources.push_back(file);
    joined.source_bytes.push_back(bytes);
    joined.source_modified.push_back(modified);
  };
  add(part.file, part.file_bytes, part.modified);
  for (std::size_t i = 0; i < part.sources.size(); ++i)
    add(part.sources[i], part.source_bytes[i], part.source_modified[i]);
}

/// The place of a point counted from the first one, with the points that the times leave out.
Index place_in(const DatasetFacts& part, std::size_t axis, Index index) {
  Index place = index;
  for (const TimeHole& hole : part.holes)
    if (hole.axis == static_cast<int>(axis) && hole.before <= index)
      place = checked_add(place, hole.points);
  return place;
}

/// Lays parts along the joined axis.
class Row {
 public:
  /// @param begin  index of the first point that is taken of the first part
  Row(const DatasetFacts& first, std::size_t axis, Index begin, const JoinWords& words)
      : joined_(first), axis_(axis), words_(&words) {
    joined_.layout = "joined";
    joined_.joined_axis = static_cast<int>(axis);
    joined_.joined_first = begin == 0 ? 0 : place_in(first, axis, begin);
    joined_.chunk.clear();
    joined_.data_offset = -1;
    joined_.storage_bytes = 0;
    joined_.unwritten = 0;
    joined_.sources.clear();
    joined_.source_bytes.clear();
    joined_.source_modified.clear();
    joined_.source_datasets.clear();
    joined_.join_notes.clear();
    joined_.mappings.clear();
    joined_.dims[axis] = 0;
  }

  Index points() const { return joined_.dims[axis_]; }

  void fill(Index points) {
    joined_.fill = fill_for(joined_, *words_);
    joined_.filled_points = checked_add(joined_.filled_points, points);
    map(in_no_file, 0, points);
  }

  /// @param number  of the part; each is added to the sources once
  void add(const DatasetFacts& part, std::size_t number, Index first, Index count) {
    const auto [source, is_new] = numbers_.try_emplace(number, std::ssize(joined_.source_datasets));
    if (is_new) {
      joined_.storage_bytes = checked_add(joined_.storage_bytes, part.storage_bytes);
      joined_.unwritten = checked_add(joined_.unwritten, part.unwritten);
      joined_.chunk_bytes = std::max(joined_.chunk_bytes, part.chunk_bytes);
      if (part.filters != joined_.filters) joined_.filters = "";
      add_files(part, joined_);
      joined_.source_datasets.push_back(part);
    }
    map(source->second, first, count);
  }

  DatasetFacts finish() {
    Index bytes = static_cast<Index>(size_of(joined_.type));
    for (const Index extent : joined_.dims) bytes = checked_multiply(bytes, extent);
    return std::move(joined_);
  }

 private:
  void map(Index source, Index first, Index extent) {
    VirtualMapping mapping{
        source, std::vector<Index>(joined_.dims.size(), 0), joined_.dims, {}, {}};
    mapping.start[axis_] = joined_.dims[axis_];
    mapping.count[axis_] = extent;
    mapping.source_start.assign(joined_.dims.size(), 0);
    mapping.source_start[axis_] = first;
    mapping.source_count = mapping.count;
    joined_.dims[axis_] = checked_add(joined_.dims[axis_], extent);
    joined_.mappings.push_back(std::move(mapping));
  }

  DatasetFacts joined_;
  std::size_t axis_;
  const JoinWords* words_;
  std::map<std::size_t, Index> numbers_;  // of parts among the sources
};

/// The parts one after the other, without times.
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
  std::size_t first = 0;  // part of the stretch
  Index begin = 0;        // place of the stretch
  std::optional<Row> row;
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
    for (const std::string& note : part.join_notes)
      if (words.gaps == Gaps::refuse || !in_time || part.holes.empty())
        notes.push_back(fmt::format("{}: {}", one_line(part.file), note));
  return stretches;
}

}  // namespace stencil
