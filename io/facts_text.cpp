#include <nlohmann/json.hpp>

#include "io/dataset_facts.hpp"

// CBOR and not JSON text: NaN, infinities and file names in any encoding come through unharmed.

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

}  // namespace

std::string serialize(const DatasetFacts& f) {
  const nlohmann::json value{{"file", f.file},
                             {"dataset", f.dataset},
                             {"dims", f.dims},
                             {"type", static_cast<int>(f.type)},
                             {"is_half", f.is_half},
                             {"layout", f.layout},
                             {"chunk", f.chunk},
                             {"chunk_bytes", f.chunk_bytes},
                             {"filters", f.filters},
                             {"storage_bytes", f.storage_bytes},
                             {"data_offset", f.data_offset},
                             {"sampling_rate", f.sampling_rate},
                             {"sampling_source", f.sampling_source},
                             {"missing_values", to_numbers(f.missing_values)},
                             {"is_packed", f.is_packed},
                             {"file_bytes", f.file_bytes},
                             {"modified", f.modified},
                             {"sources", f.sources},
                             {"source_bytes", f.source_bytes},
                             {"source_modified", f.source_modified}};
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

DatasetFacts facts_from(const std::string& serialized) {
  const nlohmann::json value = nlohmann::json::from_cbor(serialized);
  DatasetFacts f;
  value.at("file").get_to(f.file);
  value.at("dataset").get_to(f.dataset);
  value.at("dims").get_to(f.dims);
  f.type = static_cast<ElementType>(value.at("type").get<int>());
  value.at("is_half").get_to(f.is_half);
  value.at("layout").get_to(f.layout);
  value.at("chunk").get_to(f.chunk);
  value.at("chunk_bytes").get_to(f.chunk_bytes);
  value.at("filters").get_to(f.filters);
  value.at("storage_bytes").get_to(f.storage_bytes);
  value.at("data_offset").get_to(f.data_offset);
  value.at("sampling_rate").get_to(f.sampling_rate);
  value.at("sampling_source").get_to(f.sampling_source);
  for (const auto& number : value.at("missing_values"))
    f.missing_values.push_back(to_value(number));
  value.at("is_packed").get_to(f.is_packed);
  value.at("file_bytes").get_to(f.file_bytes);
  value.at("modified").get_to(f.modified);
  value.at("sources").get_to(f.sources);
  value.at("source_bytes").get_to(f.source_bytes);
  value.at("source_modified").get_to(f.source_modified);
  return f;
}

}  // namespace stencil
