#include "framework/parallel/device_share.hpp"

#include <array>

namespace stencil {

std::vector<std::string> device_ids(const Communicator& communicator,
                                    const std::string& device_id) {
  using Word = std::array<char, 256>;
  Word mine{};
  device_id.copy(mine.data(), mine.size() - 1);
  std::vector<Word> all(static_cast<std::size_t>(communicator.size()));
  MPI_Allgather(mine.data(), sizeof mine, MPI_CHAR, all.data(), sizeof mine, MPI_CHAR,
                communicator.handle());
  std::vector<std::string> ids;
  for (const Word& word : all) ids.emplace_back(word.data());
  return ids;
}

DeviceShare share_of_device(const Communicator& communicator, const std::string& device_id) {
  const std::vector<std::string> ids = device_ids(communicator, device_id);
  DeviceShare share;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const bool is_mine = rank == communicator.rank();
    if (is_mine) share.rank_on_device = static_cast<int>(share.ranks.size());
    const std::string& other = ids[static_cast<std::size_t>(rank)];
    if (is_mine || (!device_id.empty() && other == device_id)) share.ranks.push_back(rank);
  }
  return share;
}

Index sum_on_device(const Communicator& communicator, const DeviceShare& share, Index value) {
  std::vector<Index> all(static_cast<std::size_t>(communicator.size()));
  MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, communicator.handle());
  Index sum = 0;
  for (const int rank : share.ranks) sum = checked_add(sum, all[static_cast<std::size_t>(rank)]);
  return sum;
}

}  // namespace stencil
