#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace stencil::generated {

/// Cache of the machine code of generated kernels on disk: one file per kernel in one folder.
/// Several processes may use a folder at the same time. Failures of the storage are not errors: a
/// file that cannot be read is treated as absent, and machine code that cannot be written is not
/// cached.
class KernelCache {
 public:
  /// Returns the cache in `$XDG_CACHE_HOME/stencil` or, without that variable, in
  /// `~/.cache/stencil`. Nothing is cached if neither variable contains an absolute path.
  static KernelCache of_user();

  /// @param folder      created at the first write; if empty, nothing is cached
  /// @param most_bytes  limit of the total size of the files; the least recently used files are
  ///                    removed
  explicit KernelCache(std::filesystem::path folder, std::uintmax_t most_bytes = default_bytes);

  /// Returns the machine code stored under a key. Files that are damaged, or that contain another
  /// key, are ignored.
  std::optional<std::string> load(const std::string& key) const;

  /// Stores machine code under a key. The file is written under a temporary name and then renamed.
  void store(const std::string& key, const std::string& code) const;

  /// A lock on one key, held by one process at a time, for compiling the kernel of that key.
  class Turn {
   public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    bool is_held() const { return descriptor_ >= 0; }

   private:
    friend class KernelCache;
    explicit Turn(std::filesystem::path file, int descriptor);

    std::filesystem::path file_;
    int descriptor_;  ///< negative if the lock is not held
  };

  /// Waits until no other process holds the lock of this key, and acquires the lock. Thus one of
  /// the ranks of a node compiles the kernel, and the others load it from the cache. Waits at most
  /// for `longest`. Does not wait if the folder cannot be written to or locks are not supported.
  Turn await_turn(const std::string& key,
                  std::chrono::milliseconds longest = std::chrono::seconds(20)) const;

  static constexpr std::uintmax_t default_bytes = std::uintmax_t{64} << 20;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  void drop_oldest() const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace stencil::generated
