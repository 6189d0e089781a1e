#include "drivers/config/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <set>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/kind_words.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/nearest.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

namespace po = boost::program_options;

const std::vector<std::string> plain_options{"check", "json", "report", "trace",  "progress",
                                             "list",  "init", "help",   "version"};

[[noreturn]] void refuse(std::string_view what, std::string_view why) {
  throw WordsError(fmt::format("command line: {}: {}", shortened(what, 80), why));
}

/// Returns the name in `--name` or `--name=value`; empty if the argument does not have this form.
std::string option_name(const std::string& argument) {
  if (argument.size() < 3 || argument.compare(0, 2, "--") != 0) return {};
  return argument.substr(2, argument.find('=') - 2);
}

bool key_shaped(const std::string& name) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return name.find('.') != name.npos && name.find_first_not_of(letters) == name.npos;
}

/// Describes the accepted options to Boost: the options without a section, and all of `arguments`
/// that have the form --section.key. The arguments of this form are checked later, because the
/// stages are known only after the file has been read.
po::options_description describe(const std::vector<std::string>& arguments) {
  po::options_description options;
  auto add = options.add_options();
  add("check", "")("json", "")("help", "")("version", "");
  add("list", po::value<std::string>())("init", po::value<std::string>());
  add("report", po::value<std::string>())("trace", po::value<std::string>())(
      "progress", po::value<std::string>());
  add("config-file", po::value<std::vector<std::string>>());
  std::set<std::string> seen;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = option_name(argument);
    if (key_shaped(name) && seen.insert(name).second) add(name.c_str(), po::value<std::string>());
  }
  return options;
}

/// Splits the arguments, and translates errors of Boost into messages of this program. The callers
/// detect errors for which there is a more specific message.
po::parsed_options split(const std::vector<std::string>& arguments) {
  const po::options_description options = describe(arguments);
  po::positional_options_description positional;
  positional.add("config-file", -1);
  using namespace po::command_line_style;
  const int style = allow_long | long_allow_adjacent | long_allow_next;
  try {
    return po::command_line_parser(arguments)
        .options(options)
        .positional(positional)
        .style(style)
        .allow_unregistered()
        .run();
  } catch (const po::error_with_option_name& error) {
    const std::string name = error.get_option_name();
    if (name == "--check" || name == "--json" || name == "--help" || name == "--version")
      refuse(name, "takes no value");
    refuse(name, "its value is missing, write " + name + "=value");
  } catch (const po::error& error) {
    throw WordsError(fmt::format("command line: {}, see --help", one_line(error.what())));
  }
}

[[noreturn]] void refuse_unknown(const po::option& option) {
  const std::string name = option.string_key;
  const std::string near = nearest(name, plain_options);
  const std::string written =
      option.original_tokens.empty() ? "--" + name : option.original_tokens.front();
  if (!near.empty()) refuse(written, fmt::format("no such option, did you mean --{}?", near));
  refuse(written, "no such option, keys are written --section.key=value, see --help");
}

void take_file(CommandLine& line, const std::string& word) {
  if (word.empty()) refuse("''", "an empty argument, name the configuration file");
  if (word.front() == '-' && word.size() > 1) refuse(word, "no such option, see --help");
  if (line.file.empty()) {
    line.file = word;
    return;
  }
  refuse(
      word,
      fmt::format("a second configuration file in addition to {}; quote a value that holds blanks, "
                  "and write keys as --section.key=value",
                  shortened(line.file)));
}

/// Returns the value of an option that takes exactly one value.
std::string value_of(const po::option& option) {
  const std::string name = "--" + option.string_key;
  const bool separate = option.original_tokens.size() == 2;
  if (option.value.empty() || trimmed(option.value[0]).empty())
    refuse(name, "empty value, write one or leave the option out");
  const std::string& value = option.value[0];
  if (separate && value.compare(0, 2, "--") == 0)
    refuse(name, "its value is missing, write " + name + "=value");
  for (const unsigned char c : value)
    if (c < 0x20 || c == 0x7f)
      refuse(fmt::format("{}={}", name, value), "a control character, remove it");
  return std::string(trimmed(value));
}

void take(CommandLine& line, const po::option& option) {
  const std::string& name = option.string_key;
  if (name == "check") {
    line.check = true;
  } else if (name == "json") {
    line.json = true;
  } else if (name == "help") {
    line.help = true;
  } else if (name == "version") {
    line.version = true;
  } else if (name == "list") {
    line.list = value_of(option);
  } else if (name == "init") {
    line.init = value_of(option);
  } else if (name == "report") {
    line.report = value_of(option);
  } else if (name == "trace") {
    line.trace = value_of(option);
  } else if (name == "progress") {
    const std::string word = value_of(option);
    try {
      line.progress = meaning_of<ProgressStyle>(word);
    } catch (const BadValue& bad) {
      refuse("--progress=" + word, bad.what());
    }
  } else {
    line.overrides.push_back({name, value_of(option)});
  }
}

/// Refuses options that have no effect together with --list or --init.
void check_survey(const CommandLine& line) {
  const std::string which = line.list.empty() ? "--init" : "--list";
  const bool lists = !line.list.empty();
  if (lists && !line.init.empty()) refuse("--list", "write it or --init, not both");
  if (line.check || line.json || !line.report.empty() || !line.trace.empty())
    refuse(which, "runs and checks nothing: leave out --check, --json, --report and --trace");
  if (lists && !line.file.empty())
    refuse(line.file, "--list lists one file, write stencil_run --list FILE.h5");
  if (lists && !line.overrides.empty())
    refuse("--" + line.overrides.front().name, "means nothing for --list, leave it out");
  if (lists) return;
  if (line.file.empty())
    refuse("--init", "no data file, write stencil_run --init " + line.init + " FILE.h5");
  for (const Override& one : line.overrides)
    if (one.name != "input.dataset")
      refuse("--" + one.name, "--init takes --input.dataset alone: write the key into the file");
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments)
    if (!is_utf8(argument)) refuse(argument, "not UTF-8, write it in UTF-8");
  CommandLine line;
  std::set<std::string> seen;
  for (const po::option& option : split(arguments).options) {
    if (option.unregistered) refuse_unknown(option);
    if (option.string_key == "config-file") {
      if (option.position_key < 0) refuse_unknown(option);
      for (const std::string& word : option.value) take_file(line, word);
      continue;
    }
    if (!seen.insert(option.string_key).second)
      refuse("--" + option.string_key, "given twice, remove one");
    take(line, option);
  }
  if (line.check && !line.report.empty() && !line.help && !line.version)
    refuse("--report=" + line.report,
           "--check runs nothing that could be reported, remove one of the two");
  if (line.check && !line.trace.empty() && !line.help && !line.version)
    refuse("--trace=" + line.trace,
           "--check runs nothing that could be recorded, remove one of the two");
  if (line.json && !line.check && !line.help && !line.version)
    refuse("--json", "means nothing without --check, write both, or --report FILE for a run");
  if ((!line.list.empty() || !line.init.empty()) && !line.help && !line.version) check_survey(line);
  return line;
}

}  // namespace stencil
