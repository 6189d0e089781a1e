#include "io/read/stack.hpp"

#include <algorithm>
#include <limits>

#include "io/read/joined_row.hpp"
#include "io/read/parts_fit.hpp"

namespace stencil {
namespace {

/// Returns the facts of a dataset with a new first axis of one point.
DatasetFacts with_new_axis(DatasetFacts facts) {
  facts.dims.insert(facts.dims.begin(), 1);
  facts.sampling_rate.insert(facts.sampling_rate.begin(), 0);
  facts.sampling_source.insert(facts.sampling_source.begin(), "");
  facts.time_source.insert(facts.time_source.begin(), "");
  facts.axis_names.insert(facts.axis_names.begin(), "");
  facts.text_scale.insert(facts.text_scale.begin(), "");
  for (TimeHole& hole : facts.holes) ++hole.axis;
  return facts;
}

}  // namespace

DatasetFacts stack(std::vector<DatasetFacts> parts, const JoinWords& words) {
  for (DatasetFacts& part : parts) part.times.reset();  // stacked datasets may have different times
  for (const DatasetFacts& part : parts) {
    check_fits(part, parts.front(), std::nullopt);
    if (words.missing_by_attributes) check_missing_values(part, parts.front(), words);
  }
  JoinedRow row(with_new_axis(parts.front()), 0, 0, words);
  for (std::size_t i = 0; i < parts.size(); ++i) row.add(parts[i], i, 0, 1);
  DatasetFacts stacked = row.finish();
  stacked.layout = "stacked";
  for (VirtualMapping& mapping : stacked.mappings) {
    mapping.source_start.erase(mapping.source_start.begin());
    mapping.source_count.erase(mapping.source_count.begin());
  }
  for (const DatasetFacts& part : parts) add_notes_of(part, stacked.join_notes);
  return stacked;
}

std::size_t new_axes(const DatasetFacts& facts) {
  return facts.dims.size() - facts.described().dims.size();
}

bool is_stacked(const DatasetFacts& facts) {
  return new_axes(facts) > 0;
}

}  // namespace stencil
