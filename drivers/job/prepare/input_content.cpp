#include "drivers/job/prepare/input_content.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/read/same_files.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil {
namespace {

constexpr Index most_read_whole = Index{64} << 20;  // bytes, of all files
constexpr Index block_bytes = 4096;
constexpr Index most_blocks = 256, most_blocks_of_all = 1024;

/// Removes names of files, texts that contain such names, and the times of changes, so that a copy
/// has the same content.
void remove_names(DatasetFacts& facts) {
  facts.file.clear();
  facts.sources.clear();
  facts.sampling_source.clear();
  facts.time_source.clear();
  facts.remarks.clear();
  if (facts.times) facts.times->source.clear();
  facts.modified = 0;
  facts.source_modified.clear();
  for (DatasetFacts& source : facts.source_datasets) remove_names(source);
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
  DatasetFacts nameless = facts;
  remove_names(nameless);
  const std::string said = serialize(nameless);
  std::vector<std::uint64_t> sums{storage::checksum_of(said.data(), said.size())};
  for (const std::string& file : files) sums.push_back(storage::sample_of(file, blocks));
  return storage::checksum_of(sums.data(), sums.size() * sizeof(sums[0]));
}

}  // namespace stencil
