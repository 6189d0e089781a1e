#include "io/read/file_list.hpp"

#include <fmt/core.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

bool exists(const std::string& name) {
  std::error_code error;
  return std::filesystem::exists(name, error);
}

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?[") != name.npos;
}

/// Owns the result of glob().
struct Matches {
  glob_t found{};
  Matches() = default;
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;
  ~Matches() { ::globfree(&found); }
};

std::vector<std::string> files_matching(const std::string& pattern) {
  Matches matches;
  errno = 0;
  const int result = ::glob(pattern.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &matches.found);
  if (result == GLOB_NOMATCH)
    throw StorageError(
        fmt::format("no file matches {}: check the folder and the pattern", one_line(pattern)));
  const int error = result == GLOB_NOSPACE ? ENOMEM : errno;
  if (result != 0)
    throw StorageError(fmt::format("cannot search for {}: {}: {}", one_line(pattern),
                                   std::strerror(error), remedy_of(error)));
  std::vector<std::string> files(matches.found.gl_pathv,
                                 matches.found.gl_pathv + matches.found.gl_pathc);
  std::sort(files.begin(), files.end(), is_before);
  return files;
}

void refuse_twice(const std::vector<std::string>& files) {
  std::set<std::string> known;
  for (const std::string& file : files) {
    std::error_code error;
    const std::string real = std::filesystem::weakly_canonical(file, error).string();
    if (!known.insert(error ? file : real).second)
      throw WordsError(
          fmt::format("input.file names {} twice: each file is joined once", one_line(file)));
  }
}

/// Returns the index after the last digit of the number that begins at `at`.
std::size_t end_of_number(const std::string& name, std::size_t at) {
  while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at]))) ++at;
  return at;
}

}  // namespace

bool is_before(const std::string& name, const std::string& other) {
  std::size_t a = 0, b = 0;
  while (a < name.size() && b < other.size()) {
    const std::size_t end_a = end_of_number(name, a), end_b = end_of_number(other, b);
    if (end_a == a || end_b == b) {
      if (name[a] != other[b]) return name[a] < other[b];
      ++a, ++b;
      continue;
    }
    while (a + 1 < end_a && name[a] == '0') ++a;
    while (b + 1 < end_b && other[b] == '0') ++b;
    if (end_a - a != end_b - b) return end_a - a < end_b - b;
    if (const int order = name.compare(a, end_a - a, other, b, end_b - b); order != 0)
      return order < 0;
    a = end_a, b = end_b;
  }
  if (a < name.size() || b < other.size()) return b < other.size();
  return name < other;  // all numbers are equal, so the names can differ only in leading zeros
}

std::vector<std::string> files_named(const std::string& text) {
  if (exists(text)) return {text};
  std::istringstream words(text);
  std::vector<std::string> files;
  int names = 0;
  for (std::string word; words >> word; ++names) {
    if (exists(word) || !is_pattern(word)) {
      files.push_back(word);
      continue;
    }
    const std::vector<std::string> found = files_matching(word);
    files.insert(files.end(), found.begin(), found.end());
  }
  if (names == 0) return {text};
  refuse_twice(files);
  return files;
}

}  // namespace stencil::storage
