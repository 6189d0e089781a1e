#include "kernels/generated/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

namespace stencil::generated {
namespace {

namespace fs = std::filesystem;

std::string hash_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Returns the header of a file: hashes and sizes of the key and of the machine code.
std::string header_of(const std::string& key, const std::string& code) {
  return fmt::format("stencil kernel 1\n{} {}\n{} {}\n", hash_of(key), key.size(), hash_of(code),
                     code.size());
}

/// Returns an absolute path from the environment, else an empty path; the XDG rules ignore relative
/// paths.
fs::path folder_from(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t bytes;
};

/// Lists those files of a folder that the cache has written, except files that another process
/// removes meanwhile.
std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.extension() != ".cubin" && path.extension() != ".part" && path.extension() != ".turn")
      continue;
    std::error_code gone;
    const auto used = fs::last_write_time(path, gone);
    const auto bytes = gone ? 0 : fs::file_size(path, gone);
    if (!gone) entries.push_back({path, used, bytes});
  }
  return entries;
}

/// Returns whether a temporary file is more than an hour old, so that the process that wrote it has
/// ended.
bool is_abandoned(const Entry& entry) {
  return entry.path.extension() != ".cubin" &&
         fs::file_time_type::clock::now() - entry.used > std::chrono::hours(1);
}

}  // namespace

KernelCache::KernelCache(fs::path folder, std::uintmax_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

KernelCache KernelCache::of_user() {
  if (const fs::path folder = folder_from("XDG_CACHE_HOME"); !folder.empty())
    return KernelCache(folder / "stencil");
  const fs::path home = folder_from("HOME");
  return KernelCache(home.empty() ? home : home / ".cache" / "stencil");
}

fs::path KernelCache::file_of(const std::string& key) const {
  return folder_ / (hash_of(key) + ".cubin");
}

std::optional<std::string> KernelCache::load(const std::string& key) const {
  if (folder_.empty()) return {};
  const fs::path path = file_of(key);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::size_t end = 0;  // end of the header, which has three lines
  for (int line = 0; line < 3; ++line) {
    end = bytes.find('\n', end);
    if (end == std::string::npos) return {};
    ++end;
  }
  std::string code = bytes.substr(end);
  if (bytes.substr(0, end) != header_of(key, code)) return {};
  std::error_code ignored;  // an error if the folder cannot be written to
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return code;
}

void KernelCache::store(const std::string& key, const std::string& code) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path path = file_of(key);
  const fs::path part = fmt::format("{}.{}.{}.part", path.string(), getpid(),
                                    std::chrono::steady_clock::now().time_since_epoch().count());
  std::ofstream file(part, std::ios::binary);
  file << header_of(key, code) << code;
  file.close();
  if (file) fs::rename(part, path, error);
  if (!file || error) {
    fs::remove(part, error);
    return;
  }
  drop_oldest();
}

KernelCache::Turn::Turn(fs::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

KernelCache::Turn::Turn(Turn&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

KernelCache::Turn::~Turn() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  // removing the file is safe: processes that wait for the lock have the file open, and afterwards
  // find the machine code in the cache
  fs::remove(file_, ignored);
  close(descriptor_);
}

KernelCache::Turn KernelCache::await_turn(const std::string& key,
                                          std::chrono::milliseconds longest) const {
  using Clock = std::chrono::steady_clock;
  if (folder_.empty()) return Turn({}, -1);
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const fs::path file = folder_ / (hash_of(key) + ".turn");
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return Turn({}, -1);
  for (const auto end = Clock::now() + longest; flock(descriptor, LOCK_EX | LOCK_NB) != 0;) {
    if (errno != EWOULDBLOCK || Clock::now() > end) {
      close(descriptor);
      return Turn({}, -1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return Turn(file, descriptor);
}

void KernelCache::drop_oldest() const {
  std::vector<Entry> entries = entries_of(folder_);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used > b.used; });
  std::uintmax_t kept = 0;
  for (const Entry& entry : entries) {
    kept += entry.bytes;
    std::error_code ignored;  // an error if another process has removed the file
    if (is_abandoned(entry) || (kept > most_bytes_ && entry.path.extension() == ".cubin"))
      fs::remove(entry.path, ignored);
  }
}

}  // namespace stencil::generated
