#include "drivers/job/prepare/share_words.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "drivers/config/kind_words.hpp"
#include "drivers/config/words.hpp"

namespace stencil {
namespace {

using Json = nlohmann::json;  // encoded as CBOR, which preserves arbitrary bytes

}  // namespace

void share(const Communicator& communicator, ConfigWords& words) {
  std::string bytes;
  if (communicator.rank() == 0) bytes = serialize(words);
  communicator.broadcast(bytes, 0);
  communicator.agree([&] {
    if (communicator.rank() > 0) words = config_words_from(bytes);
  });
}

std::string serialize(const ConfigWords& words) {
  Json overrides = Json::array();
  for (const Override& entry : words.line.overrides) overrides.push_back({entry.name, entry.value});
  const std::vector<std::uint8_t> bytes =
      Json::to_cbor({{"file", words.line.file},
                     {"text", words.text},
                     {"overrides", std::move(overrides)},
                     {"check", words.line.check},
                     {"json", words.line.json},
                     {"report", words.line.report},
                     {"trace", words.line.trace},
                     {"progress", word_of(words.line.progress)}});
  return {bytes.begin(), bytes.end()};
}

ConfigWords config_words_from(const std::string& bytes) {
  const Json object = Json::from_cbor(bytes);
  ConfigWords words;
  object.at("file").get_to(words.line.file);
  object.at("text").get_to(words.text);
  for (const Json& entry : object.at("overrides"))
    words.line.overrides.push_back({entry.at(0), entry.at(1)});
  object.at("check").get_to(words.line.check);
  object.at("json").get_to(words.line.json);
  object.at("report").get_to(words.line.report);
  object.at("trace").get_to(words.line.trace);
  words.line.progress = meaning_of<ProgressStyle>(object.at("progress").get<std::string>());
  return words;
}

}  // namespace stencil
