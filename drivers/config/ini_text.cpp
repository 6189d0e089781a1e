#include "drivers/config/ini_text.hpp"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

constexpr std::string_view blanks = " \t";

/// The current line, for messages.
struct Place {
  const std::string& file;
  int line;

  [[noreturn]] void refuse(const std::string& message) const {
    throw WordsError(fmt::format("{}:{}: {}", shortened(file, 200), line, message));
  }
};

/// Returns the position at which a comment begins: a `#` at the start or after a blank. Without a
/// comment, returns the length of the text.
std::size_t comment_start(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool alone = i == 0 || blanks.find(text[i - 1]) != blanks.npos;
    if (text[i] == '#' && alone) return i;
  }
  return text.size();
}

bool blank_or_comment(std::string_view text) {
  text = trimmed(text);
  return text.empty() || text.front() == '#';
}

void refuse_what_is_no_text(const std::string& file, std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    throw WordsError(fmt::format("{}: {}", shortened(file, 200), why));
  };
  if (text.substr(0, 4) == "\x89HDF")
    refuse(
        "an HDF5 file, not a configuration: name it as file = ... under [input] of one, or let "
        "stencil_run --init write one");
  if (text.size() > largest_ini_text)
    refuse("larger than 16 MiB, so no configuration: put a large mask into an HDF5 file");
  if (text.find('\0') != text.npos)
    refuse("holds NUL bytes, so it is not text: write the configuration as plain UTF-8 text");
}

std::string read_section_name(const Place& place, std::string_view line) {
  const std::size_t end = line.find(']');
  if (end == line.npos)
    place.refuse(fmt::format("{}: the section is not closed, write ] at its end", shortened(line)));
  if (!blank_or_comment(line.substr(end + 1)))
    place.refuse(fmt::format("{}: text after the section, begin a new line", shortened(line)));
  const std::string_view name = trimmed(line.substr(1, end - 1));
  if (name.empty()) place.refuse("[]: a section without a name, write for example [input]");
  return std::string(name);
}

std::string read_value(const Place& place, std::string_view text, const std::string& quoted_line) {
  std::string_view value = trimmed(text);
  if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
    const std::size_t end = value.find(value.front(), 1);
    if (end == value.npos)
      place.refuse(quoted_line + ": the quote is not closed, write a second one or none");
    if (!blank_or_comment(value.substr(end + 1)))
      place.refuse(quoted_line +
                   ": text after the closing quote, quote the whole value or nothing");
    value = value.substr(1, end - 1);
  } else {
    value = trimmed(value.substr(0, comment_start(value)));
  }
  if (trimmed(value).empty())
    place.refuse(quoted_line + ": empty value, write one or remove the line");
  return std::string(value);
}

IniEntry read_entry(const Place& place, const std::string& section, std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == line.npos)
    place.refuse(fmt::format("{}: neither [section] nor key = value", shortened(line)));
  const std::string_view key = trimmed(line.substr(0, equals));
  if (key.empty()) place.refuse(fmt::format("{}: no key before the =", shortened(line)));
  if (section.empty())
    place.refuse(
        fmt::format("{}: before any section, write for example [input] above it", shortened(line)));
  const std::string quoted_line =
      fmt::format("[{}] {}", shortened(section), shortened(trimmed(line)));
  return {section, std::string(key), read_value(place, line.substr(equals + 1), quoted_line),
          place.line};
}

/// Reads a configuration file line by line, and records the line in which each name first appears.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(std::string_view line) {
    const Place place{file_, ++line_};
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    line = trimmed(line);
    // Comments must be UTF-8, too: the text is sent between ranks, and parts of it are written to
    // files as UTF-8.
    if (!is_utf8(line))
      place.refuse(fmt::format("{}: not UTF-8, save the file as UTF-8 text", shortened(line)));
    if (line.empty() || line.front() == '#' || line.front() == ';') return;
    for (const unsigned char c : line)
      if ((c < 0x20 && c != '\t') || c == 0x7f)
        place.refuse(fmt::format("{}: a control character, remove it", shortened(line)));
    if (line.front() == '[') {
      add_section(place, read_section_name(place, line));
    } else {
      add_entry(place, read_entry(place, section_, line));
    }
  }

  IniText take() { return std::move(out_); }

 private:
  void add_section(const Place& place, std::string name) {
    const auto [seen, fresh] = section_lines_.emplace(name, place.line);
    if (!fresh)
      place.refuse(fmt::format("[{}]: given twice, first in line {}: join the two", shortened(name),
                               seen->second));
    section_ = name;
    out_.sections.push_back({std::move(name), place.line});
  }

  void add_entry(const Place& place, IniEntry entry) {
    const auto [seen, fresh] = key_lines_.emplace(std::pair(entry.section, entry.key), place.line);
    if (!fresh)
      place.refuse(fmt::format("[{}] {} = {}: given twice, first in line {}: remove one",
                               shortened(entry.section), shortened(entry.key),
                               shortened(entry.value), seen->second));
    out_.entries.push_back(std::move(entry));
  }

  const std::string& file_;
  int line_ = 0;
  std::string section_;
  IniText out_;
  std::map<std::string, int> section_lines_;
  std::map<std::pair<std::string, std::string>, int> key_lines_;
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

IniText read_ini_text(const std::string& file, std::string_view text) {
  refuse_what_is_no_text(file, text);
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  Reader reader(file);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.read(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return reader.take();
}

}  // namespace stencil
