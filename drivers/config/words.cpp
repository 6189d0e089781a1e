// From the command line and the file to ConfigWords, and these to and from one string for a
// broadcast.
#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "drivers/config/command_line.hpp"
#include "drivers/config/config.hpp"
#include "drivers/config/ini_text.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

[[noreturn]] void refuse_file(const std::string& file, int error) {
  throw StorageError(fmt::format("{}: the configuration cannot be read ({}), name a file that can",
                                 shortened(file, 200), std::strerror(error)));
}

/// At most one byte more than a configuration may have: enough to be refused later.
std::string read_file(const std::string& file) {
  const auto close = [](std::FILE* stream) { std::fclose(stream); };
  std::unique_ptr<std::FILE, decltype(close)> stream(std::fopen(file.c_str(), "rb"), close);
  if (!stream) refuse_file(file, errno);
  std::string text;
  char buffer[65536];
  while (text.size() <= largest_ini_text) {
    errno = 0;
    const std::size_t bytes = std::fread(buffer, 1, sizeof buffer, stream.get());
    text.append(buffer, bytes);
    if (bytes == sizeof buffer) continue;
    if (std::ferror(stream.get())) refuse_file(file, errno);
    break;
  }
  return text;
}

void append(std::string& out, const std::string& item) {
  out += fmt::format("{}:", item.size());
  out += item;
}

std::string take(std::string_view& text) {
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const std::size_t head = static_cast<std::size_t>(end - text.data()) + 1;
  if (error != std::errc() || head > text.size() || text[head - 1] != ':' ||
      bytes > text.size() - head)
    throw std::invalid_argument("the broadcast configuration is damaged");
  std::string item(text.substr(head, bytes));
  text.remove_prefix(head + bytes);
  return item;
}

}  // namespace

Request read_words(int argc, const char* const* argv, ConfigWords& words) {
  words = {};
  if (argc > 1) words.arguments.assign(argv + 1, argv + argc);
  const CommandLine line = read_command_line(words.arguments);
  if (line.help) return Request::help;
  if (line.version) return Request::version;
  if (line.file.empty())
    throw WordsError(
        "command line: no configuration file, write stencil_run CONFIG.ini, see --help");
  words.file = line.file;
  words.text = read_file(line.file);
  return Request::run;
}

std::string serialize(const ConfigWords& words) {
  std::string out;
  append(out, words.file);
  append(out, words.text);
  for (const std::string& argument : words.arguments) append(out, argument);
  return out;
}

ConfigWords words_from(const std::string& serialized) {
  std::string_view rest = serialized;
  ConfigWords words;
  words.file = take(rest);
  words.text = take(rest);
  while (!rest.empty()) words.arguments.push_back(take(rest));
  return words;
}

}  // namespace stencil
