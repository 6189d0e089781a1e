#include "io/hdf5/dataset_facts.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/hdf5/packed_numbers.hpp"

// Facts are stored as CBOR instead of JSON text, because CBOR preserves NaN, infinities and file
// names in any encoding.

namespace stencil {
namespace {

nlohmann::json to_numbers(const std::vector<ElementValue>& values) {
  nlohmann::json numbers = nlohmann::json::array();
  for (const ElementValue& value : values)
    value.visit([&](auto number) { numbers.push_back(number); });
  return numbers;
}

ElementValue to_value(const nlohmann::json& number) {
  if (number.is_number_float()) return number.get<double>();
  if (number.is_number_unsigned()) return number.get<std::uint64_t>();
  return number.get<std::int64_t>();
}

nlohmann::json to_numbers(const std::optional<ElementValue>& value) {
  return to_numbers(value ? std::vector{*value} : std::vector<ElementValue>{});
}

std::vector<ElementValue> to_values(const nlohmann::json& numbers) {
  std::vector<ElementValue> values;
  for (const auto& number : numbers) values.push_back(to_value(number));
  return values;
}

std::optional<ElementValue> to_optional(const nlohmann::json& numbers) {
  if (numbers.empty()) return std::nullopt;
  return to_value(numbers.at(0));
}

nlohmann::json to_lists(const std::vector<VirtualMapping>& mappings) {
  nlohmann::json lists = nlohmann::json::array();
  for (const VirtualMapping& m : mappings)
    lists.push_back({m.source, m.start, m.count, m.source_start, m.source_count, m.source_step});
  return lists;
}

nlohmann::json to_lists(const std::vector<AxisSelection>& selection) {
  nlohmann::json lists = nlohmann::json::array();
  for (const AxisSelection& axis : selection) lists.push_back({axis.first, axis.step, axis.count});
  return lists;
}

nlohmann::json to_lists(const std::vector<TimeHole>& holes) {
  nlohmann::json lists = nlohmann::json::array();
  for (const TimeHole& hole : holes) lists.push_back({hole.axis, hole.before, hole.points});
  return lists;
}

std::vector<AxisSelection> to_selection(const nlohmann::json& lists) {
  std::vector<AxisSelection> selection;
  for (const auto& list : lists) selection.push_back({list.at(0), list.at(1), list.at(2)});
  return selection;
}

/// Returns a time as seconds and nanoseconds, because JSON has no 128-bit integers.
nlohmann::json to_list(Nanoseconds time) {
  return {static_cast<Index>(time / one_second), static_cast<Index>(time % one_second)};
}

Nanoseconds to_nanoseconds(const nlohmann::json& list) {
  return list.at(0).get<Index>() * one_second + list.at(1).get<Index>();
}

nlohmann::json to_list(const std::optional<TimeSpan>& times) {
  if (!times) return nlohmann::json::array();
  return {times->axis, to_list(times->first), to_list(times->last), times->source, times->calendar};
}

std::optional<TimeSpan> to_times(const nlohmann::json& list) {
  if (list.empty()) return std::nullopt;
  return TimeSpan{list.at(0), to_nanoseconds(list.at(1)), to_nanoseconds(list.at(2)), list.at(3),
                  list.at(4)};
}

VirtualMapping to_mapping(const nlohmann::json& list) {
  return {list.at(0), list.at(1), list.at(2), list.at(3), list.at(4), list.at(5)};
}

nlohmann::json to_lists(const std::vector<AxisCoordinates>& coordinates) {
  nlohmann::json lists = nlohmann::json::array();
  for (const AxisCoordinates& c : coordinates)
    lists.push_back({static_cast<int>(c.kind), c.source, c.unit, c.step, c.uneven, c.latitudes});
  return lists;
}

AxisCoordinates to_coordinates(const nlohmann::json& list) {
  return {static_cast<AxisCoordinates::Kind>(list.at(0).get<int>()),
          list.at(1),
          list.at(2),
          list.at(3),
          list.at(4),
          list.at(5)};
}

nlohmann::json to_object(const DatasetFacts& f) {
  nlohmann::json sources = nlohmann::json::array();
  for (const DatasetFacts& source : f.source_datasets) sources.push_back(to_object(source));
  nlohmann::json validity = nlohmann::json::array();
  for (const DatasetFacts& mask : f.validity) validity.push_back(to_object(mask));
  return {{"file", f.file},
          {"dataset", f.dataset},
          {"dims", f.dims},
          {"type", static_cast<int>(f.type)},
          {"part_names", f.part_names},
          {"layout", f.layout},
          {"chunk", f.chunk},
          {"chunk_bytes", f.chunk_bytes},
          {"filters", f.filters},
          {"storage_bytes", f.storage_bytes},
          {"data_offset", f.data_offset},
          {"sampling_rate", f.sampling_rate},
          {"sampling_source", f.sampling_source},
          {"time_source", f.time_source},
          {"axis_names", f.axis_names},
          {"text_scale", f.text_scale},
          {"holes", to_lists(f.holes)},
          {"remarks", f.remarks},
          {"missing_values", to_numbers(f.missing_values)},
          {"missing_text", f.missing_text},
          {"missing_complex", f.missing_complex},
          {"missing_unasked", to_numbers(f.missing_unasked)},
          {"valid_min", to_numbers(f.valid_min)},
          {"valid_max", to_numbers(f.valid_max)},
          {"range_is_of_values", f.range_is_of_values},
          {"is_packed", f.is_packed},
          {"packing", {f.scale_factor, f.add_offset}},
          {"has_other_sign", f.has_other_sign},
          {"reads_values", f.reads_values},
          {"times", to_list(f.times)},
          {"meaning", f.meaning},
          {"file_bytes", f.file_bytes},
          {"modified", f.modified},
          {"sources", f.sources},
          {"source_bytes", f.source_bytes},
          {"source_modified", f.source_modified},
          {"source_datasets", std::move(sources)},
          {"validity", std::move(validity)},
          {"mappings", to_lists(f.mappings)},
          {"joined_axis", f.joined_axis.value_or(-1)},
          {"joined_first", f.joined_first},
          {"join_notes", f.join_notes},
          {"fill", to_numbers(std::vector{f.fill})},
          {"filled_points", f.filled_points},
          {"unwritten", f.unwritten},
          {"wanted", to_lists(f.wanted)},
          {"coordinates", to_lists(f.coordinates)},
          {"earth_radius", f.earth_radius},
          {"selected", to_lists(f.selected)}};
}

DatasetFacts to_facts(const nlohmann::json& value) {
  DatasetFacts f;
  value.at("file").get_to(f.file);
  value.at("dataset").get_to(f.dataset);
  value.at("dims").get_to(f.dims);
  f.type = static_cast<ElementType>(value.at("type").get<int>());
  value.at("part_names").get_to(f.part_names);
  value.at("layout").get_to(f.layout);
  value.at("chunk").get_to(f.chunk);
  value.at("chunk_bytes").get_to(f.chunk_bytes);
  value.at("filters").get_to(f.filters);
  value.at("storage_bytes").get_to(f.storage_bytes);
  value.at("data_offset").get_to(f.data_offset);
  value.at("sampling_rate").get_to(f.sampling_rate);
  value.at("sampling_source").get_to(f.sampling_source);
  value.at("time_source").get_to(f.time_source);
  value.at("axis_names").get_to(f.axis_names);
  value.at("text_scale").get_to(f.text_scale);
  for (const auto& list : value.at("holes"))
    f.holes.push_back({list.at(0), list.at(1), list.at(2)});
  value.at("remarks").get_to(f.remarks);
  f.missing_values = to_values(value.at("missing_values"));
  value.at("missing_text").get_to(f.missing_text);
  value.at("missing_complex").get_to(f.missing_complex);
  f.missing_unasked = to_values(value.at("missing_unasked"));
  f.valid_min = to_optional(value.at("valid_min"));
  f.valid_max = to_optional(value.at("valid_max"));
  value.at("range_is_of_values").get_to(f.range_is_of_values);
  value.at("is_packed").get_to(f.is_packed);
  f.scale_factor = value.at("packing").at(0);
  f.add_offset = value.at("packing").at(1);
  value.at("has_other_sign").get_to(f.has_other_sign);
  value.at("reads_values").get_to(f.reads_values);
  f.times = to_times(value.at("times"));
  value.at("meaning").get_to(f.meaning);
  value.at("file_bytes").get_to(f.file_bytes);
  value.at("modified").get_to(f.modified);
  value.at("sources").get_to(f.sources);
  value.at("source_bytes").get_to(f.source_bytes);
  value.at("source_modified").get_to(f.source_modified);
  for (const auto& source : value.at("source_datasets"))
    f.source_datasets.push_back(to_facts(source));
  for (const auto& mask : value.at("validity")) f.validity.push_back(to_facts(mask));
  for (const auto& list : value.at("mappings")) f.mappings.push_back(to_mapping(list));
  if (const int axis = value.at("joined_axis"); axis >= 0) f.joined_axis = axis;
  value.at("joined_first").get_to(f.joined_first);
  value.at("join_notes").get_to(f.join_notes);
  f.fill = to_value(value.at("fill").at(0));
  value.at("filled_points").get_to(f.filled_points);
  value.at("unwritten").get_to(f.unwritten);
  f.wanted = to_selection(value.at("wanted"));
  for (const auto& list : value.at("coordinates")) f.coordinates.push_back(to_coordinates(list));
  value.at("earth_radius").get_to(f.earth_radius);
  f.selected = to_selection(value.at("selected"));
  return f;
}

}  // namespace

std::vector<Index> DatasetFacts::number_dims() const {
  std::vector<Index> all = dims;
  if (is_complex()) all.push_back(2);
  return all;
}

std::vector<Index> DatasetFacts::number_chunk() const {
  std::vector<Index> all = chunk;
  if (is_complex() && !chunk.empty()) all.push_back(2);
  return all;
}

ElementType DatasetFacts::number_type() const {
  return reads_values && has_other_sign ? storage::other_sign(type) : type;
}

std::string type_name(ElementType type, bool is_complex) {
  if (!is_complex) return to_string(type);
  return type == ElementType::float64 ? "complex128" : "complex64";
}

std::string type_name(const DatasetFacts& facts) {
  return type_name(facts.type, facts.is_complex());
}

DatasetFacts with_parts(DatasetFacts facts) {
  if (!facts.is_complex()) return facts;
  facts.chunk = facts.number_chunk();
  facts.dims = facts.number_dims();
  if (!facts.selected.empty()) facts.selected.push_back({0, 1, 2});
  for (VirtualMapping& mapping : facts.mappings) {
    for (auto* first : {&mapping.start, &mapping.source_start}) first->push_back(0);
    for (auto* count : {&mapping.count, &mapping.source_count}) count->push_back(2);
    if (!mapping.source_step.empty()) mapping.source_step.push_back(1);
  }
  for (DatasetFacts& source : facts.source_datasets) source = with_parts(std::move(source));
  return facts;
}

std::string name_of(const DatasetFacts& facts) {
  const std::string name = facts.file + ":" + facts.dataset;
  if (!facts.joined_axis || facts.source_datasets.size() == 1) return name;
  const bool are_files = facts.source_datasets.back().file != facts.file;
  const bool are_stacked = facts.dims.size() > facts.described().dims.size();
  return name + fmt::format(" and {} {} {} to it", facts.source_datasets.size() - 1,
                            are_files ? "files" : "datasets", are_stacked ? "stacked" : "joined");
}

std::string serialize(const DatasetFacts& facts) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(to_object(facts));
  return {bytes.begin(), bytes.end()};
}

DatasetFacts facts_from(const std::string& serialized) {
  return to_facts(nlohmann::json::from_cbor(serialized));
}

}  // namespace stencil
