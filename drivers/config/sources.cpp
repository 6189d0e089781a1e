#include "drivers/config/sources.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/config/keys.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/nearest.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

constexpr std::string_view stage_prefix = "stencil.";
constexpr std::size_t longest_stage_name = 64;

bool is_stage(const std::string& section) {
  return section == "stencil" || section.compare(0, stage_prefix.size(), stage_prefix) == 0;
}

bool good_stage_name(std::string_view name) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !name.empty() && name.size() <= longest_stage_name &&
         name.find_first_not_of(letters) == name.npos;
}

std::string section_place(const std::string& file, const IniSection& section) {
  return fmt::format("{}:{}: [{}]", shortened(file, 200), section.line, shortened(section.name));
}

void check_section(const std::string& file, const IniSection& section) {
  const std::string place = section_place(file, section);
  if (section.name == "stencil") return;
  if (is_stage(section.name)) {
    if (good_stage_name(std::string_view(section.name).substr(stage_prefix.size()))) return;
    throw WordsError(fmt::format(
        "{}: a stage is named by at most {} letters, digits, _ or -, for example [stencil.smooth]",
        place, longest_stage_name));
  }
  std::vector<std::string> known = section_names();
  if (std::find(known.begin(), known.end(), section.name) != known.end()) return;
  for (std::string& name : known) name = fmt::format("[{}]", name);
  throw WordsError(
      fmt::format("{}: no such section, {}", place, suggestion("[" + section.name + "]", known)));
}

std::vector<SectionPlace> find_stages(const IniText& ini, const CommandLine& line) {
  const std::string& file = line.file;
  std::vector<SectionPlace> stages;
  for (const IniSection& section : ini.sections)
    if (is_stage(section.name)) stages.push_back({section.name, section_place(file, section)});
  const auto single = std::find_if(stages.begin(), stages.end(), [](const SectionPlace& stage) {
    return stage.name == "stencil";
  });
  if (stages.size() > 1 && single != stages.end())
    throw WordsError(single->place +
                     ": if other stages have names, this stage needs a name, too: [stencil.NAME]");
  if (!stages.empty()) return stages;
  for (const Override& entry : line.overrides)
    if (entry.name.compare(0, stage_prefix.size(), stage_prefix) == 0 &&
        entry.name.find('.', stage_prefix.size()) == std::string::npos)
      return {{"stencil", "command line: [stencil]"}};
  throw WordsError(fmt::format("{}: no [stencil] section, add one with mask = ..., see --help",
                               shortened(file, 200)));
}

Words file_words(const std::string& file, const IniText& ini) {
  Words words;
  for (const IniEntry& entry : ini.entries) {
    std::string where = fmt::format("{}:{}: [{}] {} = {}", shortened(file, 200), entry.line,
                                    entry.section, shortened(entry.key), shortened(entry.value));
    const std::string table = table_section(entry.section);
    if (find_key(table, entry.key) == nullptr)
      throw WordsError(fmt::format("{}: {}", where, unknown_key(table, entry.key)));
    words[entry.section + "." + entry.key] = {entry.value, std::move(where)};
  }
  return words;
}

/// Throws a WordsError if an argument of the command line names an unknown section, or a stage that
/// is not in the file.
void check_override_section(const std::string& section, const std::string& key,
                            const std::string& where, const std::vector<SectionPlace>& stages) {
  if (!is_stage(section)) {
    const auto known = section_names();
    if (std::find(known.begin(), known.end(), section) == known.end())
      throw WordsError(fmt::format("{}: no such section as {}, {}", where, shortened(section),
                                   suggestion(section, known)));
    return;
  }
  std::vector<std::string> names;
  for (const SectionPlace& stage : stages) {
    if (stage.name == section) return;
    names.push_back(stage.name);
  }
  if (section == "stencil")
    throw WordsError(fmt::format("{}: the file names its stages, write --{}.{}=value; {}", where,
                                 names.front(), key, suggestion("", names)));
  throw WordsError(fmt::format("{}: no such stage as {}, {}", where, shortened(section),
                               suggestion(section, names)));
}

/// Overrides the values of the file by those of the command line.
void lay_over(const CommandLine& line, const std::vector<SectionPlace>& stages, Words& words) {
  for (const Override& entry : line.overrides) {
    std::string where =
        fmt::format("command line: --{}={}", shortened(entry.name, 80), shortened(entry.value));
    const std::size_t dot = entry.name.rfind('.');
    const std::string section = entry.name.substr(0, dot), key = entry.name.substr(dot + 1);
    check_override_section(section, key, where, stages);
    const std::string table = table_section(section);
    if (find_key(table, key) == nullptr)
      throw WordsError(fmt::format("{}: {}", where, unknown_key(table, key)));
    words[entry.name] = {entry.value, std::move(where)};
  }
}

std::vector<SectionPlace> plain_sections(const std::string& file, const IniText& ini) {
  std::vector<SectionPlace> sections;
  for (const std::string& name : section_names()) {
    if (name == "stencil") continue;
    SectionPlace section{name, fmt::format("{}: [{}]", shortened(file, 200), name)};
    for (const IniSection& written : ini.sections)
      if (written.name == name) section.place = section_place(file, written);
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace

Sources find_sources(const IniText& ini, const CommandLine& line) {
  const std::string& file = line.file;
  for (const IniSection& section : ini.sections) check_section(file, section);
  Sources sources;
  sources.sections = plain_sections(file, ini);
  sources.words = file_words(file, ini);
  sources.stages = find_stages(ini, line);
  lay_over(line, sources.stages, sources.words);
  return sources;
}

}  // namespace stencil
