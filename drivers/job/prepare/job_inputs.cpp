#include "drivers/job/prepare/job_inputs.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "drivers/config/stage.hpp"
#include "drivers/job/prepare/input_content.hpp"
#include "drivers/plan/make/coordinate_units.hpp"
#include "framework/grid/error.hpp"
#include "io/probe.hpp"
#include "io/read/file_list.hpp"
#include "io/read/read_values.hpp"
#include "io/read/same_files.hpp"
#include "io/read/valid_points.hpp"

// Facts are sent as CBOR, which preserves arbitrary bytes. The child process that probes the input
// also uses CBOR.

namespace stencil {
namespace {

using Json = nlohmann::json;

/// Returns the bytes of numbers or characters in memory. All ranks run the same program, so all use
/// the same representation.
template <class Values>
Json packed(const Values& values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return Json::binary({bytes, bytes + values.size() * sizeof(values[0])});
}

template <class Values>
Values unpacked(const Json& json) {
  const std::vector<std::uint8_t>& bytes = json.get_binary();
  Values values(bytes.size() / sizeof(typename Values::value_type), {});
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Returns the files that every rank reads. Masks are read by rank 0 alone.
std::vector<std::string> files_of(const std::vector<DatasetFacts>& stretches) {
  std::set<std::string> files;
  for (const DatasetFacts& facts : stretches) {
    files.insert(facts.file);
    files.insert(facts.sources.begin(), facts.sources.end());
    for (const DatasetFacts& mask : facts.validity) {
      files.insert(mask.file);
      files.insert(mask.sources.begin(), mask.sources.end());
    }
  }
  return {files.begin(), files.end()};
}

}  // namespace

void gather(JobInputs& inputs) {
  const Config::Input& input = inputs.config.input;
  JoinWords join;
  join.axis = input.join;
  join.is_new = input.joins_new;
  join.gaps = input.gaps;
  join.overlap = input.overlap;
  join.clock = input.clock;
  if (input.sampling_rate > 0) join.sampled_axis = input.axis;
  const MissingValue& missing = inputs.config.missing.value;
  if (const auto* value = std::get_if<std::vector<ElementValue>>(&missing))
    join.fill = value->front();
  join.missing_unasked = std::holds_alternative<Automatic>(missing);
  join.missing_by_attributes =
      join.missing_unasked || std::holds_alternative<FromAttributes>(missing);
  inputs.stretches = probe_joined(storage::files_named(input.file), input.dataset, join);
  if (input.packed == Packed::values)
    for (DatasetFacts& stretch : inputs.stretches) read_values(stretch);
  inputs.sources_beside = probe_sources_beside(inputs.stretches.front().described());
  if (!inputs.config.missing.mask.empty()) {
    const MaskLocation at = mask_location(inputs.config.missing.mask);
    const DatasetFacts mask = probe_dataset(at.file, at.dataset);
    for (DatasetFacts& stretch : inputs.stretches) set_validity(stretch, mask);
  }
  if (input.joins_new && inputs.config.output.copy == Copy::rest)
    throw WordsError(
        "output.copy = rest cannot be used with input.join = new, because the other contents of "
        "the files may differ: write output.copy = none");
  if (inputs.config.output.copy == Copy::rest)
    for (const DatasetFacts& stretch : inputs.stretches) probe_rest(stretch);
  const auto& stages = inputs.config.stages;
  if (std::any_of(stages.begin(), stages.end(), needs_coordinates))
    for (DatasetFacts& stretch : inputs.stretches) probe_coordinates(stretch);
  if (!input.select.empty()) probe_selection(inputs.stretches, input.select);
  inputs.masks.clear();
  for (const StageConfig& stage : inputs.config.stages)
    for (const std::string& text : datasets_of(stage)) {
      const MaskLocation at = mask_location(text);
      inputs.masks[text] = read_small_array(at.file, at.dataset);
    }
  inputs.contents.clear();
  if (inputs.config.run.checkpoint.empty()) return;
  for (const DatasetFacts& stretch : inputs.stretches)
    inputs.contents.push_back(content_of(stretch));
}

void share(const Communicator& communicator, JobInputs& inputs) {
  std::string bytes;
  if (communicator.rank() == 0) bytes = serialize(inputs);
  communicator.broadcast(bytes, 0);
  communicator.agree([&] {
    if (communicator.rank() > 0) take_facts(bytes, inputs);
  });
  storage::require_same_files(communicator, files_of(inputs.stretches));
}

std::string serialize(const JobInputs& inputs) {
  Json stretches = Json::array();
  for (const DatasetFacts& facts : inputs.stretches) stretches.push_back(packed(serialize(facts)));
  Json masks = Json::object();
  for (const auto& [name, array] : inputs.masks)
    masks[name] = {packed(array.dims), packed(array.values), packed(array.rows),
                   packed(array.imaginary)};
  const std::vector<std::uint8_t> bytes = Json::to_cbor({{"stretches", std::move(stretches)},
                                                         {"masks", std::move(masks)},
                                                         {"contents", inputs.contents}});
  return {bytes.begin(), bytes.end()};
}

void take_facts(const std::string& bytes, JobInputs& inputs) {
  const Json object = Json::from_cbor(bytes);
  inputs.stretches.clear();
  inputs.masks.clear();
  for (const Json& facts : object.at("stretches"))
    inputs.stretches.push_back(facts_from(unpacked<std::string>(facts)));
  for (const auto& [name, array] : object.at("masks").items())
    inputs.masks[name] = {unpacked<std::vector<Index>>(array.at(0)),
                          unpacked<std::vector<double>>(array.at(1)),
                          unpacked<std::vector<Index>>(array.at(2)),
                          {},
                          unpacked<std::vector<double>>(array.at(3))};
  object.at("contents").get_to(inputs.contents);
}

}  // namespace stencil
