#include "drivers/plan/describe/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <variant>

#include "drivers/pipeline/kernel_of.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "include/stencil/version.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {
namespace {

using Json = Description;

/// Returns a number, or a text if the number is not finite, because JSON has no such numbers.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

/// Returns all files that are read, including the source files of virtual datasets, each file once.
std::vector<std::string> files_of(const DatasetFacts& input) {
  std::vector<std::string> files{input.file};
  std::set<std::string> known{input.file};
  for (const std::string& file : input.sources)
    if (known.insert(file).second) files.push_back(file);
  return files;
}

/// Describes the requested input, without the points that masks need beyond a selection.
Json input_json(const Plan& plan) {
  // the original input, even if the run continues from a checkpoint
  const DatasetFacts& input = plan.output.whole_input();
  Json selected = Json::array();
  std::vector<Index> shape;
  for (const AxisSelection& axis : input.wanted) {
    selected.push_back({axis.first, axis.step, axis.count});
    shape.push_back(axis.count);
  }
  Json json = {{"file", input.file},       {"files", files_of(input)},
               {"dataset", input.dataset}, {"shape", input.wanted.empty() ? input.dims : shape},
               {"selected", selected},     {"dtype", type_name(input)},
               {"bytes", plan.bytes_read}};
  for (const DatasetFacts& mask : input.validity)
    json["mask"] = {{"file", mask.file}, {"dataset", mask.dataset}, {"shape", mask.dims}};
  return json;
}

/// Describes the dataset from which points are read: the input, or a checkpoint.
Json source_json(const DatasetFacts& source) {
  Json json = {{"name", name_of(source)},
               {"shape", source.dims},
               {"dtype", type_name(source)},
               {"layout", source.layout},
               {"filters", source.filters}};
  for (std::size_t axis = 0; axis < source.wanted.size(); ++axis) {
    const auto [first, step, count] = source.wanted[axis];
    const AxisSelection& read = source.selected[axis];
    const Index before = (first - read.first) / step;
    json["margins"].push_back({before, read.count - count - before});
  }
  return json;
}

Json output_json(const Plan& plan) {
  const OutputSpec& output = plan.output;
  Json json = {{"file", output.file},
               {"dataset", output.dataset},
               {"shape", output.dataset_dims()},
               {"dtype", type_name(output.type, output.is_complex)},
               {"chunk", output.dataset_chunk()},
               {"gzip", output.gzip_level},
               {"verified", output.verify},
               {"snapshots", output.snapshots.has_value()},
               {"bytes", plan.bytes_written}};
  if (output.packing)
    json["packing"] = {{"scale", output.packing->scale}, {"offset", output.packing->offset}};
  return json;
}

void add_boundary(const BoundStage& stage, Json& json) {
  Json rules = Json::array();
  bool is_constant = false;
  for (int axis = 0; axis < axes; ++axis) {
    if (stage.sampling[axis].width == 1) continue;
    if (stage.edge_fit && axis == stage.mask_axis) {
      json["boundary"] = {"interp"};
      return;
    }
    rules.push_back(to_string(stage.boundary.rule[axis]));
    is_constant |= stage.boundary.rule[axis] == BoundaryRule::constant;
  }
  json["boundary"] = rules;
  if (is_constant) json["boundary_value"] = number(stage.boundary.value);
}

/// Lists the methods that `method = auto` compared; empty for a bank whose filters use different
/// methods.
Json alternatives_json(const BoundStage& stage) {
  Json json = Json::array();
  if (stage.is_mixed()) return json;
  for (const MethodCost& cost : stage.choice.costs)
    json.push_back({{"method", cost.method}, {"multiply_adds_per_point", cost.taps}});
  return json;
}

Json stage_json(const Plan& plan, std::size_t index) {
  const BoundStage& stage = plan.chain.stages[index];
  const auto& rate = plan.designed_for[index];
  const Taps& taps = stage.choice.mask.taps;
  const ChannelMask* channels = stage.channels ? &*stage.channels : nullptr;
  std::vector<Index> extents{taps.height, taps.width};
  if (stage.choice.mask.rank == 3) extents.insert(extents.begin(), taps.depth);
  if (channels) extents.insert(extents.begin(), {channels->out, channels->in});
  Json json = {
      {"name", stage.name},
      {"method", stage.methods()},
      {"reason", stage.choice.reason},
      {"separable_terms", stage.choice.separable_terms()},
      {"separability_error", stage.choice.error},
      {"alternatives", alternatives_json(stage)},
      {"taps", extents},
      {"mask_axis", stage.choice.mask.rank == 1 ? Json(to_string(stage.mask_axis)) : Json()},
      {"is_bank", !stage.bank.empty()},
      {"filters", stage.filters()},
      {"groups", channels ? channels->groups : 1},
      {"channels_in", channels ? channels->channels() : 1},
      {"sampling_rate", rate ? rate->samples_per_unit : 0.0},
      {"sampling_source", rate ? rate->source : ""},
      {"steps", stage.steps},
      {"steps_per_sweep", stage.steps_per_sweep},
      {"input_shape", stage.input.shape()},
      {"output_shape", stage.output.shape()},
      {"halo_low", stage.halo.low},
      {"halo_high", stage.halo.high},
      {"kernel", kernel_of(plan.chain, index)}};
  add_boundary(stage, json);
  return json;
}

/// @param problem  the problem of the run, or of a pass
Json windows_json(const Problem& problem, const Windows& windows) {
  return {{"outputs", windows.outputs},
          {"outputs_in_all", problem.chain.output_shape()[windows.axis]},
          {"axis", windows.axis},
          {"side_by_side", windows.unit > 0},
          {"at_a_time", windows.at_a_time},
          {"threads_each", windows.threads},
          {"reason", windows.is_needed ? "memory" : "speed"},
          {"read_twice", windows.read_twice}};
}

/// Describes the files that a run saves so that it can be continued later, and when it saves them.
Json checkpoint_json(const Plan& plan) {
  Json json = {{"file", storage::OutputPaths::of(plan.checkpoint->file).final},
               {"unfinished_output", plan.output.file + ".part"}};
  if (const Windows* windows = plan.windows()) {
    const bool is_packed = plan.output.gzip_level > 0, is_apart = windows->unit > 0;
    json["saves"] = is_packed || !is_apart ? "nothing" : "windows";
    if (!is_apart)
      json["reason"] = "blocks of the output reach into several windows";
    else if (is_packed)
      json["reason"] = "the output is packed";
    return json;
  }
  Index most = 0;
  for (const BoundStage& stage : plan.chain.stages)
    most = std::max(most, points(stage.input.shape()));
  json["saves"] = "points";
  json["bytes"] = checked_multiply(most, plan.compute_bytes());
  if (plan.passes() != nullptr)
    json["every"] = {{"passes", 1}};
  else if (plan.checkpoint->every.steps > 0)
    json["every"] = {{"steps", plan.checkpoint->every.steps}};
  else
    json["every"] = {{"seconds", plan.checkpoint->every.seconds}};
  return json;
}

/// Describes the state from which the run continues; null if it starts from its input.
Json resumed_json(const Plan& plan) {
  const Resumed* resumed = plan.resumed();
  const UnfinishedOutput* unfinished = plan.unfinished();
  if (resumed == nullptr && unfinished == nullptr) return {};
  if (resumed == nullptr) return {{"outputs_done", unfinished->outputs()}};
  Json json = {{"checkpoint", resumed->file}, {"steps_done", resumed->steps_done}};
  if (unfinished != nullptr) json["snapshots_done"] = unfinished->times.size();
  return json;
}

/// Adds windows, passes or `at once` to the description of a plan.
struct AddWay {
  const Plan& plan;
  Json& json;

  void operator()(const AtOnce&) const { json["way"] = "at once"; }
  void operator()(const Windows& windows) const {
    json["way"] = "windows";
    json["windows"] = windows_json(plan, windows);
  }
  void operator()(const Passes& passes) const {
    const Pass& first = passes.front();
    json["way"] = "passes";
    json["passes"] = passes.size();
    json["steps_per_pass"] = first.chain.steps();
    json["windows"] = windows_json(first, first.windows);
  }
};

/// Returns the reason why --check does not predict the time of reading and writing.
std::string why_not_predicted(const Plan& plan) {
  if (plan.passes() != nullptr) return "points go through scratch files";
  if (plan.output.snapshots) return "snapshots are written while steps are computed";
  if (plan.output.gzip_level > 0) return "how fast the output is packed depends on its values";
  return "no memory, input or folder for a trial";
}

}  // namespace

Description describe(const Plan& plan, const std::string& device_facts) {
  const Decomposition& blocks = plan.chain.stages.front().input;
  Json json = {{"program", "stencil_run"},
               {"version", STENCIL_VERSION},
               {"configuration", plan.output.provenance.at("stencil_configuration")},
               {"input", input_json(plan)},
               {"source", source_json(plan.input)},
               {"output", output_json(plan)},
               {"notes", plan.notes}};
  if (const Json resumed = resumed_json(plan); !resumed.is_null()) json["resumed"] = resumed;
  json["ranks"] = plan.ranks;
  json["idle_ranks"] = plan.ranks - blocks.blocks();
  json["blocks"] = blocks.grid();
  json["points_of_first_rank"] = blocks.owned(0).points();
  json["backend"] = to_string(plan.chain.backend);
  json["device"] = device_facts;
  json["precision"] = to_string(plan.compute_type());
  json["shape"] = plan.input_form.shape();
  json["volumes"] = plan.input_form.volumes();
  json["dataset_axes"] = {plan.input_form.dataset_axes(batch_axis),
                          plan.input_form.dataset_axes(y_axis),
                          plan.input_form.dataset_axes(x_axis)};
  if (plan.mask_axis)
    json["mask_axis"] = {{"axis", plan.mask_axis->axis}, {"reason", plan.mask_axis->why}};
  json["stages"] = Json::array();
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i)
    json["stages"].push_back(stage_json(plan, i));
  std::visit(AddWay{plan, json}, plan.way());
  if (plan.checkpoint) json["checkpoint"] = checkpoint_json(plan);
  json["memory_per_rank_bytes"] = plan.memory_per_rank();
  json["halo_bytes_per_rank"] = plan.halo_bytes;
  json["points_computed"] = plan.points_out;
  return json;
}

void add_predictions(const Plan& plan, const std::optional<Prediction>& computing,
                     const std::optional<StoragePrediction>& storage, Description& description) {
  if (computing) {
    for (std::size_t i = 0; i < computing->stage_seconds.size(); ++i)
      description["stages"][i]["compute_seconds"]["predicted"] = computing->stage_seconds[i];
    description["seconds_predicted"]["compute"] = computing->seconds();
  }
  if (!storage) return;
  Json& seconds = description["seconds_predicted"];
  seconds["read"] = storage->read;
  seconds["write"] = storage->write;
  seconds["read_back"] = storage->read_back;
  if (computing) seconds["total"] = whole_seconds(plan, *computing, *storage);
}

Description describe(const Plan& plan, const std::string& device_facts, const Measured& measured) {
  Json json = describe(plan, device_facts);
  add_predictions(plan, measured.prediction, measured.storage, json);
  if (!measured.prediction)
    json["not_predicted"]["compute"] = "no memory for short runs of the stages";
  if (!measured.storage) json["not_predicted"]["storage"] = why_not_predicted(plan);
  if (measured.device_bytes) json["memory_per_gpu_bytes"] = *measured.device_bytes;
  if (!measured.gpus.empty()) json["gpus"] = measured.gpus;
  if (!measured.limits) return json;
  const double adds = measured.limits->multiply_adds_per_second;
  json["limit"] = {{"compute_seconds", limit_seconds(plan, *measured.limits)},
                   {"copy_bytes_per_second", measured.limits->copy_bytes_per_second},
                   {"multiply_adds_per_second", adds}};
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i) {
    const BoundStage& stage = plan.chain.stages[i];
    // the costs are those of one plane of a mask of channels
    const double planes = stage.channels ? double(stage.channels->in) : 1;
    const double outputs = double(points(stage.output.shape())) * double(stage.steps) * planes;
    for (Json& way : json["stages"][i]["alternatives"])
      way["seconds"] = way["multiply_adds_per_point"].get<double>() * outputs / adds;
  }
  return json;
}

std::string json_text(const Description& description, int indent) {
  return description.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stencil
