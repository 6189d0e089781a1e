#include "io/read/same_files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/file_check.hpp"

namespace stencil::storage {
namespace {

constexpr Index block_bytes = 4096;
constexpr Index most_blocks = 16;
constexpr Index most_blocks_of_all = 1024;
constexpr const char* remedy =
    "name a file in a folder that all nodes share, or copy it to every "
    "node again";

/// Like sample_of(), with the name of the rank in the error message.
std::uint64_t sample_on(int rank, const std::string& file, Index blocks) {
  try {
    return sample_of(file, blocks);
  } catch (const StorageError& error) {
    if (rank == 0) throw;
    throw StorageError(fmt::format("the input on {} differs from that on rank 0: {}; {}",
                                   name_of_rank(rank), error.what(), remedy));
  }
}

}  // namespace

std::uint64_t sample_of(const std::string& file, Index blocks) {
  const Index bytes = file_state(file).bytes;
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!open)
    throw StorageError(fmt::format("cannot open {}: {}: {}", one_line(file), std::strerror(errno),
                                   remedy_of(errno)));
  const Index all = std::max<Index>(2, (bytes + block_bytes - 1) / block_bytes);
  // otherwise the system would read ahead beyond the blocks
  if (all > blocks) ::posix_fadvise(open.number(), 0, 0, POSIX_FADV_RANDOM);
  blocks = std::min(blocks, all);
  const Index last = std::max<Index>(0, bytes - block_bytes);
  std::vector<std::uint64_t> sums{static_cast<std::uint64_t>(bytes)};
  std::array<std::byte, block_bytes> block{};
  const Index steps = std::max<Index>(blocks - 1, 1);
  for (Index i = 0; i < blocks; ++i) {
    const Index at = last / steps * i + last % steps * i / steps;
    const Index size = std::min(block_bytes, bytes);
    const int error = read_exactly(open.number(), block.data(), size, at);
    if (error != 0)
      throw StorageError(
          error > 0
              ? fmt::format("cannot read {}: {}: {}", one_line(file), std::strerror(error),
                            remedy_of(error))
              : fmt::format("{} became shorter while it was read: wait until it is whole, and "
                            "run again",
                            one_line(file)));
    sums.push_back(XXH3_64bits(block.data(), static_cast<std::size_t>(size)));
  }
  return XXH3_64bits(sums.data(), sums.size() * sizeof(sums[0]));
}

void require_same_files(const Communicator& communicator, const std::vector<std::string>& files) {
  if (communicator.size() == 1 || files.empty()) return;
  const Index blocks = std::clamp(most_blocks_of_all / std::ssize(files), Index{2}, most_blocks);
  std::vector<std::uint64_t> own;
  communicator.agree([&] {
    for (const std::string& file : files)
      own.push_back(sample_on(communicator.rank(), file, blocks));
  });
  require_same_numbers(communicator, own, [&](std::size_t i) { return files[i]; });
}

void require_same_numbers(const Communicator& communicator, const std::vector<std::uint64_t>& own,
                          const std::function<std::string(std::size_t i)>& name) {
  const std::size_t bytes = own.size() * sizeof(own[0]);
  std::string first(bytes, '\0');
  if (bytes > 0) std::memcpy(first.data(), own.data(), bytes);
  communicator.broadcast(first, 0);
  communicator.agree([&] {
    for (std::size_t i = 0; i < own.size(); ++i)
      if (std::memcmp(first.data() + i * sizeof(own[0]), &own[i], sizeof(own[0])) != 0)
        throw StorageError(fmt::format("the contents of {} on {} differ from those on rank 0: {}",
                                       one_line(name(i)), name_of_rank(communicator.rank()),
                                       remedy));
  });
}

std::string name_of_rank(int rank) {
  char host[256]{};
  ::gethostname(host, sizeof host - 1);
  return fmt::format("rank {} on {}", rank, host);
}

}  // namespace stencil::storage
