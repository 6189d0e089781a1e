#include "io/write/blocks/block_checksums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace stencil::storage {

BlockChecksums empty_checksums(const BlockGrid& grid) {
  BlockChecksums checksums;
  checksums.blocks_each = (grid.size() - 1) / most_checksums + 1;
  checksums.values.resize(static_cast<std::size_t>((grid.size() - 1) / checksums.blocks_each + 1));
  return checksums;
}

std::vector<Index> gather_numbers(const Communicator& communicator, const std::vector<Index>& own) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const int count = static_cast<int>(own.size());
  std::vector<int> counts(ranks), starts(ranks);
  std::vector<Index> all;
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator.handle());
  communicator.agree([&] {
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
    if (communicator.rank() == 0)
      all.resize(static_cast<std::size_t>(starts.back() + counts.back()));
  });
  MPI_Gatherv(own.data(), count, MPI_INT64_T, all.data(), counts.data(), starts.data(), MPI_INT64_T,
              0, communicator.handle());
  return all;
}

std::vector<Written> gather_records(const Communicator& communicator,
                                    const std::vector<Written>& own) {
  std::vector<Index> mine;
  communicator.agree([&] {
    mine.reserve(4 * own.size());
    for (const Written& r : own)
      mine.insert(mine.end(), {r.block, static_cast<Index>(r.checksum), r.bytes, r.at});
  });
  const std::vector<Index> all = gather_numbers(communicator, mine);
  std::vector<Written> records;
  communicator.agree([&] {
    records.reserve(all.size() / 4);
    for (std::size_t i = 0; i < all.size(); i += 4)
      records.push_back({all[i], static_cast<std::uint64_t>(all[i + 1]), all[i + 2], all[i + 3]});
    std::sort(records.begin(), records.end(),
              [](const Written& a, const Written& b) { return a.block < b.block; });
  });
  return records;
}

BlockChecksums checksums_of_all(const Communicator& communicator, const std::vector<Written>& own,
                                const std::vector<Written>& more, const BlockGrid& grid) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const std::size_t numbers = 2 * (own.size() + more.size());
  const int count = static_cast<int>(numbers);
  std::vector<int> counts(ranks), starts(ranks);
  std::vector<Index> mine, all;
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator.handle());
  communicator.agree([&] {
    mine.reserve(numbers);
    for (const std::vector<Written>* records : {&own, &more})
      for (const Written& record : *records)
        mine.insert(mine.end(), {record.block, static_cast<Index>(record.checksum)});
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
    if (communicator.rank() == 0) all.resize(static_cast<std::size_t>(2 * grid.size()));
  });
  MPI_Gatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), starts.data(),
              MPI_INT64_T, 0, communicator.handle());
  BlockChecksums checksums;
  communicator.agree([&] {
    if (communicator.rank() != 0) return;
    std::vector<std::uint64_t> blocks(static_cast<std::size_t>(grid.size()));
    for (std::size_t i = 0; i < all.size(); i += 2)
      blocks.at(static_cast<std::size_t>(all[i])) = static_cast<std::uint64_t>(all[i + 1]);
    checksums = empty_checksums(grid);
    Index first = 0;
    for (std::uint64_t& value : checksums.values) {
      const Index n = std::min(checksums.blocks_each, grid.size() - first);
      value = checksum_of(&blocks[static_cast<std::size_t>(first)],
                          static_cast<std::size_t>(n) * sizeof(std::uint64_t));
      first += n;
    }
  });
  return checksums;
}

std::string words_of(const BlockChecksums& checksums, const BlockGrid& grid) {
  return fmt::format(
      "XXH3-64 of the little-endian XXH3-64 of {} successive blocks of {} points each, in "
      "row-major "
      "order, as the file stores them",
      checksums.blocks_each, fmt::join(grid.stored_in(0).count, "x"));
}

}  // namespace stencil::storage
