#include "io/write/output/source_pattern.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

/// Returns the number at the beginning of a text, as written by HDF5, that is, without leading
/// zeros.
std::optional<Index> number_in(std::string_view text) {
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool has_zero = text.starts_with('0') && end != text.data() + 1;
  if (error != std::errc() || number < 0 || has_zero) return std::nullopt;
  return number;
}

}  // namespace

SourcePattern::SourcePattern(const std::string& text) : parts_(1) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 'b')
      parts_.emplace_back();
    else
      parts_.back() += text[i];
    if (next == 'b' || next == '%') ++i;
  }
}

std::string SourcePattern::name(Index block) const {
  std::string name = parts_.front();
  for (std::size_t i = 1; i < parts_.size(); ++i) name += std::to_string(block) + parts_[i];
  return name;
}

std::map<Index, std::string> SourcePattern::existing(const fs::path& folder) const {
  std::map<Index, std::string> found;
  // a number in the pattern may be in the name of the file or of one of its parent folders
  const std::size_t slash = parts_.front().rfind('/');
  const std::string begin =
      slash == std::string::npos ? parts_.front() : parts_.front().substr(slash + 1);
  const fs::path place =
      slash == std::string::npos ? folder : folder / parts_.front().substr(0, slash + 1);
  std::error_code error;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string entry_name = entry->path().filename().string();
    if (!entry_name.starts_with(begin)) continue;
    const auto number = number_in(std::string_view(entry_name).substr(begin.size()));
    if (!number) continue;
    const fs::path file = folder / name(*number);
    std::error_code ignored;
    if (fs::exists(file, ignored)) found[*number] = file.string();
  }
  return found;
}

}  // namespace stencil::storage
