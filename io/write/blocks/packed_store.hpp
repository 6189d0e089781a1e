#pragma once

#include <mutex>
#include <span>
#include <string>

#include "framework/device/executor.hpp"
#include "io/hdf5/file_access.hpp"

namespace stencil::storage {

/// Packed chunks of one rank whose position in the output is not known yet: the first ones in
/// memory, the others in an unnamed file in the output's folder, which is removed when the process
/// ends.
class PackedStore {
 public:
  /// @param folder  open folder of the output; must outlive the store
  /// @param output  its name, for messages
  PackedStore(int folder, std::string output) : folder_(folder), output_(std::move(output)) {}

  /// Upper bound of the bytes kept in memory.
  static constexpr Index most_in_memory = Index{64} << 20;

  /// Keeps a chunk; any thread may call. @returns where it is. @throws StorageError
  Index add(std::span<const std::byte> chunk);
  /// Forgets all chunks. While no other function is called.
  void clear();
  /// Reads `bytes` of a chunk back. @throws StorageError
  void read(Index at, Index bytes, std::byte* to) const;

 private:
  int open_file() const;

  int folder_;
  std::string output_;
  std::mutex mutex_;
  Memory memory_;  ///< of most_in_memory bytes, whose pages the system gives as they are filled
  Index held_ = 0;
  Descriptor file_;
  Index file_bytes_ = 0;
};

}  // namespace stencil::storage
