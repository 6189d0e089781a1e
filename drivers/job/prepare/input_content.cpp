#include "drivers/job/prepare/input_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/read/same_files.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil {
namespace {

constexpr Index most_read_whole = Index{64} << 20;  // bytes, summed over all files
constexpr Index block_bytes = 4096;
constexpr Index most_blocks = 256, most_blocks_of_all = 1024;

std::string text_of(Index value) {
  return fmt::format("{}", value);
}

std::string text_of(double value) {  // exact, and independent of the formatting library
  return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(value));
}

std::string text_of(const std::string& value) {
  return fmt::format("{}:{}", value.size(), value);
}

std::string text_of(const ElementValue& value) {
  return value.visit([](auto number) {
    if constexpr (std::is_floating_point_v<decltype(number)>)
      return text_of(double{number});
    else
      return fmt::format("{}", number);
  });
}

std::string text_of(Nanoseconds value) {
  return fmt::format("{}", value);
}

std::string text_of(const AxisSelection& axis) {
  return fmt::format("{}:{}:{}", axis.first, axis.step, axis.count);
}

std::string text_of(const TimeHole& hole) {
  return fmt::format("{}:{}:{}", hole.axis, hole.before, hole.points);
}

template <class Value>
std::string text_of(const std::vector<Value>& values);

std::string text_of(const VirtualMapping& mapping) {
  return fmt::format("{} at {} of {} from {} of {} every {}", mapping.source,
                     text_of(mapping.start), text_of(mapping.count), text_of(mapping.source_start),
                     text_of(mapping.source_count), text_of(mapping.source_step));
}

template <class Value>
std::string text_of(const std::vector<Value>& values) {
  std::string text = fmt::format("{}", values.size());
  for (const Value& value : values) text += " " + text_of(value);
  return text;
}

std::string text_of(const TimeSpan& times) {
  return fmt::format("{} {} {} {}", times.axis, text_of(times.first), text_of(times.last),
                     text_of(times.calendar));
}

/// The facts that determine which points are read and how they are interpreted, one per line. Facts
/// with default values are omitted, so that the text of an input stays the same if a later version
/// adds facts. File names, modification times and the storage layout are omitted, so that a copy of
/// the input has the same text.
class Identity {
 public:
  explicit Identity(const DatasetFacts& facts) { add_all(facts); }

  const std::string& text() const { return text_; }

 private:
  void add_all(const DatasetFacts& facts);
  template <class Value>
  void add(std::string_view name, const Value& value, const Value& otherwise = {}) {
    const std::string text = text_of(value);
    if (text != text_of(otherwise)) text_ += fmt::format("{}={}\n", name, text);
  }
  template <class Value>
  void add(std::string_view name, const std::optional<Value>& value) {
    if (value) text_ += fmt::format("{}={}\n", name, text_of(*value));
  }
  void add_datasets(std::string_view name, const std::vector<DatasetFacts>& datasets) {
    for (const DatasetFacts& facts : datasets) {
      text_ += fmt::format("{}{{\n", name);
      add_all(facts);
      text_ += "}\n";
    }
  }

  std::string text_;
};

void Identity::add_all(const DatasetFacts& facts) {
  add("dataset", facts.dataset);
  add("dims", facts.dims);
  add("type", type_name(facts.type, facts.is_complex()));
  add("sampling_rate", facts.sampling_rate);
  add("holes", facts.holes);
  add("missing", facts.missing_values);
  add("missing_unasked", facts.missing_unasked);
  add("valid_min", facts.valid_min);
  add("valid_max", facts.valid_max);
  add("range_is_of_values", Index{facts.range_is_of_values});
  add("packed", Index{facts.is_packed});
  add("scale_factor", facts.scale_factor, 1.0);
  add("add_offset", facts.add_offset);
  add("other_sign", Index{facts.has_other_sign});
  add("reads_values", Index{facts.reads_values});
  add("times", facts.times);
  add("bytes", facts.file_bytes);
  add("source_bytes", facts.source_bytes);
  add_datasets("source", facts.source_datasets);
  add("mappings", facts.mappings);
  if (facts.joined_axis) add("joined_axis", std::optional(Index{*facts.joined_axis}));
  add("joined_first", facts.joined_first);
  add("fill", facts.fill);
  add("wanted", facts.wanted);
  add_datasets("validity", facts.validity);
  add("selected", facts.selected);
}

}  // namespace

std::uint64_t content_of(const DatasetFacts& facts) {
  std::vector<std::string> files{facts.file};
  files.insert(files.end(), facts.sources.begin(), facts.sources.end());
  const Index bytes =
      std::accumulate(facts.source_bytes.begin(), facts.source_bytes.end(), facts.file_bytes);
  const Index blocks = bytes <= most_read_whole ? most_read_whole / block_bytes
                                                : std::clamp(most_blocks_of_all / std::ssize(files),
                                                             Index{2}, most_blocks);
  const std::string said = Identity(facts).text();
  std::vector<std::uint64_t> sums{storage::checksum_of(said.data(), said.size())};
  for (const std::string& file : files) sums.push_back(storage::sample_of(file, blocks));
  return storage::checksum_of(sums.data(), sums.size() * sizeof(sums[0]));
}

}  // namespace stencil
