#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace stencil::generated {

/// Machine code of generated kernels, kept between runs: one file for each kernel in one folder.
/// Several processes may use a folder at the same time. A failure of the storage is not an error: a
/// file that cannot be read is treated as absent, and what cannot be written is not kept.
class KernelCache {
 public:
  /// `$XDG_CACHE_HOME/stencil`, or `~/.cache/stencil`; nothing is kept if neither variable holds an
  /// absolute path.
  static KernelCache of_user();

  /// @param folder      created when it is first written to; empty: nothing is kept
  /// @param most_bytes  limit of all files together; those that were not used for longest
  ///                    are removed
  explicit KernelCache(std::filesystem::path folder, std::uintmax_t most_bytes = default_bytes);

  /// What was kept under this key. A file that is damaged, or that holds another key, is not used.
  std::optional<std::string> load(const std::string& key) const;

  /// Keeps machine code under a key: written under a temporary name, then renamed.
  void store(const std::string& key, const std::string& code) const;

  /// The right to make the code of one key, of one process at a time.
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
    int descriptor_;  ///< below 0: none
  };

  /// Waits while another process has the turn of this key, so that one of the ranks of a node
  /// compiles and the others load: at most for `longest`, and not at all where the folder cannot be
  /// written to or locks are not supported.
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
