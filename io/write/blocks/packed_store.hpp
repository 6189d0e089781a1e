#pragma once

#include <mutex>
#include <span>
#include <string>

#include "framework/device/executor.hpp"
#include "io/hdf5/file_access.hpp"

namespace stencil::storage {

/// Packed chunks of one rank whose position in the output is not known yet. The first chunks are
/// kept in memory, the others in an unnamed file in the output's folder, which disappears when the
/// process ends.
class PackedStore {
 public:
  /// @param folder  open folder of the output; must outlive the store
  /// @param output  name of the output, for messages
  PackedStore(int folder, std::string output) : folder_(folder), output_(std::move(output)) {}

  /// Upper bound of the size of chunks kept in memory, in bytes.
  static constexpr Index most_in_memory = Index{64} << 20;

  /// Stores a chunk; may be called from any thread. @returns its position in the store. @throws
  /// StorageError
  Index add(std::span<const std::byte> chunk);
  /// Removes all chunks. Must not be called concurrently with other functions.
  void clear();
  /// Reads `bytes` of a chunk at position `at`. @throws StorageError
  void read(Index at, Index bytes, std::byte* to) const;

 private:
  int open_file() const;

  int folder_;
  std::string output_;
  std::mutex mutex_;
  Memory memory_;  ///< memory of most_in_memory bytes; the system allocates its pages when they are
                   ///< first used
  Index held_ = 0;
  Descriptor file_;
  Index file_bytes_ = 0;
};

}  // namespace stencil::storage
