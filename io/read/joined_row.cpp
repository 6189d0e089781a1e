#include "io/read/joined_row.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/read/parts_fit.hpp"

namespace stencil {
namespace {

/// Returns the value for points in gaps.
ElementValue fill_for(const DatasetFacts& first, const JoinWords& words) {
  if (words.fill) return *words.fill;
  if (words.missing_by_attributes)
    for (const ElementValue& value : missing_in(first, words))
      if (storage::visit_element(first.type, [&](auto e) { return value.holds<decltype(e)>(); }))
        return value;  // other values never occur, so gaps that were filled with them would not be
                       // missing
  if (is_floating(first.type)) return std::numeric_limits<double>::quiet_NaN();
  throw WordsError(
      fmt::format("input.gaps = fill: {} holds {}, which has no NaN: write missing.value = NUMBER, "
                  "which the gaps are then filled with",
                  storage::qualified_name(first.file, first.dataset), to_string(first.type)));
}

/// Adds the file of a part and the files of its virtual sources to the sources.
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

/// Returns the position of a point relative to the first point. Points that are missing according
/// to the times also occupy positions.
Index place_in(const DatasetFacts& part, std::size_t axis, Index index) {
  Index place = index;
  for (const TimeHole& hole : part.holes)
    if (hole.axis == static_cast<int>(axis) && hole.before <= index)
      place = checked_add(place, hole.points);
  return place;
}

}  // namespace

JoinedRow::JoinedRow(const DatasetFacts& first, std::size_t axis, Index begin,
                     const JoinWords& words)
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

void JoinedRow::fill(Index points) {
  joined_.fill = fill_for(joined_, *words_);
  joined_.filled_points = checked_add(joined_.filled_points, points);
  map(in_no_file, 0, points);
}

void JoinedRow::add(const DatasetFacts& part, std::size_t number, Index first, Index count) {
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

DatasetFacts JoinedRow::finish() {
  Index bytes = joined_.point_bytes();
  for (const Index extent : joined_.dims) bytes = checked_multiply(bytes, extent);
  return std::move(joined_);
}

void JoinedRow::map(Index source, Index first, Index extent) {
  VirtualMapping mapping{source, std::vector<Index>(joined_.dims.size(), 0), joined_.dims, {}, {}};
  mapping.start[axis_] = joined_.dims[axis_];
  mapping.count[axis_] = extent;
  mapping.source_start.assign(joined_.dims.size(), 0);
  mapping.source_start[axis_] = first;
  mapping.source_count = mapping.count;
  joined_.dims[axis_] = checked_add(joined_.dims[axis_], extent);
  joined_.mappings.push_back(std::move(mapping));
}

void add_notes_of(const DatasetFacts& part, std::vector<std::string>& notes) {
  for (const std::string& note : part.join_notes)
    notes.push_back(fmt::format("{}: {}", one_line(part.file), note));
}

}  // namespace stencil
