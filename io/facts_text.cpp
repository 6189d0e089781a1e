#include <nlohmann/json.hpp>

#include "io/dataset_facts.hpp"

// CBOR and not JSON text: NaN, infinities and file names in any encoding come through unharmed.

namespace stencil {

std::string serialize(const DatasetFacts& f) {
  const nlohmann::json value{{"file", f.file},
                             {"dataset", f.dataset},
                             {"dims", f.dims},
                             {"type", static_cast<int>(f.type)},
                             {"layout", f.layout},
                             {"chunk", f.chunk},
                             {"filters", f.filters},
                             {"storage_bytes", f.storage_bytes},
                             {"data_offset", f.data_offset},
                             {"sampling_rate", f.sampling_rate},
                             {"sampling_source", f.sampling_source},
                             {"missing_values", f.missing_values},
                             {"file_bytes", f.file_bytes},
                             {"modified", f.modified},
                             {"sources", f.sources}};
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
  value.at("layout").get_to(f.layout);
  value.at("chunk").get_to(f.chunk);
  value.at("filters").get_to(f.filters);
  value.at("storage_bytes").get_to(f.storage_bytes);
  value.at("data_offset").get_to(f.data_offset);
  value.at("sampling_rate").get_to(f.sampling_rate);
  value.at("sampling_source").get_to(f.sampling_source);
  value.at("missing_values").get_to(f.missing_values);
  value.at("file_bytes").get_to(f.file_bytes);
  value.at("modified").get_to(f.modified);
  value.at("sources").get_to(f.sources);
  return f;
}

}  // namespace stencil
