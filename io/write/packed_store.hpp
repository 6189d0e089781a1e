#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/file_access.hpp"

namespace stencil::storage {

/// Packed chunks of one rank that wait for their place in the output: the first ones in memory, the
/// others in a file without a name beside the output, which is gone with the process.
class PackedStore {
 public:
  /// @param folder  open folder of the output; outlives the store
  /// @param output  its name, for messages
  PackedStore(int folder, std::string output) : folder_(folder), output_(std::move(output)) {}

  /// Most bytes that are kept in memory.
  static constexpr Index most_in_memory = Index{64} << 20;

  /// Keeps a chunk; any thread may call. @returns where it is. @throws StorageError
  Index add(std::span<const std::byte> chunk);
  /// Reads `bytes` of a chunk back. @throws StorageError
  void read(Index at, Index bytes, std::byte* to) const;

 private:
  int open_file() const;

  int folder_;
  std::string output_;
  std::mutex mutex_;
  std::vector<std::byte> memory_;
  Descriptor file_;
  Index file_bytes_ = 0;
};

}  // namespace stencil::storage
