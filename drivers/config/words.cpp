#include "drivers/config/words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "drivers/config/ini_text.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

[[noreturn]] void refuse_file(const std::string& file, int error) {
  throw StorageError(fmt::format("{}: the configuration cannot be read ({}): name a readable file",
                                 shortened(file, 200), std::strerror(error)));
}

/// Reads at most one byte more than the size limit; a larger file is refused later.
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

}  // namespace

Request read_words(int argc, const char* const* argv, ConfigWords& words) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  words = {.line = read_command_line(arguments), .text = {}};
  const CommandLine& line = words.line;
  if (line.help) return Request::help;
  if (line.version) return Request::version;
  if (!line.list.empty()) return Request::list;
  if (!line.init.empty()) return Request::init;
  if (arguments.empty()) return Request::guide;
  if (line.file.empty())
    throw WordsError(
        "command line: no configuration file, write stencil_run CONFIG.ini, see --help");
  words.text = read_file(line.file);
  return Request::run;
}

}  // namespace stencil
