#include "drivers/job/job_inputs.hpp"

#include <cstring>
#include <stdexcept>

#include "io/probe.hpp"

namespace stencil {
namespace {

/// Texts and numbers one after the other, each behind its length. All ranks run the same program,
/// so the machine's own byte order will do.
class Packer {
 public:
  template <class T>
  void add(const T* values, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    packed_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    packed_.append(reinterpret_cast<const char*>(values), bytes);
  }
  void add(const std::string& text) { add(text.data(), text.size()); }
  std::string take() { return std::move(packed_); }

 private:
  std::string packed_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& packed) : packed_(packed) {}
  bool done() const { return at_ == packed_.size(); }
  template <class Container>
  Container next() {
    std::size_t bytes = 0;
    std::memcpy(&bytes, packed_.data() + at_, sizeof bytes);
    at_ += sizeof bytes;
    Container values(bytes / sizeof(typename Container::value_type), {});
    std::memcpy(values.data(), packed_.data() + at_, bytes);
    at_ += bytes;
    return values;
  }

 private:
  const std::string& packed_;
  std::size_t at_ = 0;
};

}  // namespace

void gather(JobInputs& inputs) {
  const Config config = parse_config(inputs.words);
  inputs.facts = probe_dataset(config.input.file, config.input.dataset);
  for (const StageConfig& stage : config.stages)
    if (const MaskLocation at = mask_location(stage.mask))
      inputs.masks[stage.mask] = read_small_array(at.file, at.dataset);
}

std::string serialize(const JobInputs& inputs) {
  Packer packer;
  packer.add(serialize(inputs.words));
  packer.add(serialize(inputs.facts));
  for (const auto& [name, array] : inputs.masks) {
    packer.add(name);
    packer.add(array.dims.data(), array.dims.size());
    packer.add(array.values.data(), array.values.size());
  }
  return packer.take();
}

JobInputs job_inputs_from(const std::string& bytes) {
  Unpacker unpacker(bytes);
  JobInputs inputs;
  inputs.words = words_from(unpacker.next<std::string>());
  inputs.facts = facts_from(unpacker.next<std::string>());
  while (!unpacker.done()) {
    const auto name = unpacker.next<std::string>();
    SmallArray& array = inputs.masks[name];
    array.dims = unpacker.next<std::vector<Index>>();
    array.values = unpacker.next<std::vector<double>>();
  }
  return inputs;
}

}  // namespace stencil
