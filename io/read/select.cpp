#include "io/read/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/valid_points.hpp"

namespace stencil {
namespace {

/// Formats a slice: `6000:12000:2`.
std::string words_of(const Slice& slice) {
  std::string words = slice.start ? fmt::format("{}:", *slice.start) : ":";
  if (slice.stop) words += std::to_string(*slice.stop);
  return slice.step == 1 ? words : fmt::format("{}:{}", words, slice.step);
}

/// Returns the part of a mapping that a selection takes; std::nullopt if the selection takes no
/// points of the mapping.
std::optional<VirtualMapping> cut(const VirtualMapping& mapping,
                                  const std::vector<AxisSelection>& points) {
  VirtualMapping part;
  part.source = mapping.source;
  // a source of stacked datasets does not have the new axis, along which it has one point
  const std::size_t lacking = points.size() - mapping.source_start.size();
  for (std::size_t axis = 0; axis < points.size(); ++axis) {
    const Index first = points[axis].first, step = points[axis].step, count = points[axis].count;
    const Index begin = mapping.start[axis], end = begin + mapping.count[axis];
    const auto from = [&](Index at) {  // index of the first selected point that is not before `at`
      return std::clamp<Index>((at - first + step - 1) / step, 0, count);
    };
    const Index low = begin <= first ? 0 : from(begin), high = end <= first ? 0 : from(end);
    if (low >= high) return std::nullopt;
    part.start.push_back(low);
    part.count.push_back(high - low);
    if (axis < lacking) continue;
    part.source_start.push_back(mapping.source_start[axis - lacking] + first + low * step - begin);
    part.source_step.push_back(step);
    part.source_count.push_back(high - low);
  }
  return part;
}

/// Returns the mappings of a dataset; a single mapping for a dataset that is not joined.
std::vector<VirtualMapping> mappings_of(const DatasetFacts& whole) {
  if (whole.joined_axis) return whole.mappings;
  VirtualMapping all;
  all.start.assign(whole.dims.size(), 0);
  all.source_start = all.start;
  all.count = all.source_count = whole.dims;
  return {all};
}

}  // namespace

AxisSelection points_of(const Slice& slice, Index extent, const std::string& where) {
  const auto bound = [&](std::optional<Index> index, Index otherwise) {
    if (!index) return otherwise;
    return std::clamp<Index>(*index < 0 ? *index + extent : *index, 0, extent);
  };
  const Index first = bound(slice.start, 0), last = bound(slice.stop, extent);
  if (first >= last)
    throw WordsError(fmt::format(
        "{}: {} takes no point of an axis of {} points: write START:STOP with START before STOP",
        where, words_of(slice), extent));
  return {first, slice.step, (last - first - 1) / slice.step + 1};
}

DatasetFacts select(const DatasetFacts& whole, const std::vector<AxisSelection>& points) {
  DatasetFacts facts = whole;
  facts.layout = "selected";
  facts.selected = points;
  facts.chunk.clear();
  facts.data_offset = -1;
  facts.mappings.clear();
  facts.filled_points = 0;
  for (std::size_t axis = 0; axis < points.size(); ++axis) facts.dims[axis] = points[axis].count;
  // the first source is always the described dataset, even if none of its points are selected
  facts.source_datasets = {whole.described()};
  facts.source_datasets.front().wanted.clear();
  facts.source_datasets.front().validity.clear();
  for (DatasetFacts& mask : facts.validity) mask = select(mask, points_of_mask(mask, points));
  std::map<Index, Index> numbers{{0, 0}};
  for (const VirtualMapping& mapping : mappings_of(whole)) {
    auto part = cut(mapping, points);
    if (!part) continue;
    if (part->source == in_no_file) {
      facts.filled_points = checked_add(facts.filled_points, storage::points_of(part->count));
    } else {
      const auto [known, is_new] =
          numbers.try_emplace(part->source, static_cast<Index>(facts.source_datasets.size()));
      if (is_new)
        facts.source_datasets.push_back(
            whole.source_datasets[static_cast<std::size_t>(part->source)]);
      part->source = known->second;
    }
    facts.mappings.push_back(*std::move(part));
  }
  facts.storage_bytes = static_cast<Index>(static_cast<double>(whole.storage_bytes) *
                                           static_cast<double>(storage::points_of(facts.dims)) /
                                           static_cast<double>(storage::points_of(whole.dims)));
  return facts;
}

}  // namespace stencil
