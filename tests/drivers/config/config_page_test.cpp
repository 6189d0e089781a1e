// The tables of keys in docs/configuration.md list exactly the keys of the program, with their
// defaults and keywords; the table in docs/masks.md lists exactly the named masks.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/keys.hpp"

namespace stencil {
namespace {

using Words = std::vector<std::string>;

/// A row of a table: its section (empty if the row above has the same section), its keys, and its
/// values. The first value is the default; the defaults of several keys are separated by `;`.
struct Row {
  std::string section;
  Words keys, values;
  bool is_short = false;  ///< `...` stands for further keywords
};

/// The parts of a text in backticks.
Words marked(std::string_view text) {
  Words words;
  std::size_t begin = text.find('`'), end = 0;
  while (begin != text.npos && (end = text.find('`', begin + 1)) != text.npos) {
    words.emplace_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return words;
}

Words cells_of(const std::string& line) {
  Words cells;
  for (std::size_t at = 1, begin = 1; at < line.size(); ++at) {
    if (line[at] != '|' || line[at - 1] == '\\') continue;
    cells.emplace_back(trimmed(std::string_view(line).substr(begin, at - begin)));
    begin = at + 1;
  }
  return cells;
}

std::vector<Row> rows_of(const std::string& page) {
  std::vector<Row> rows;
  std::string section;
  bool is_of_keys = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("| section | key |") == 0) is_of_keys = true;
    if (line.find('|') != 0) is_of_keys = false;
    if (!is_of_keys || line.find("| section") == 0 || line.find("| ---") == 0) continue;
    const Words cells = cells_of(line);
    if (!cells[0].empty()) section = marked(cells[0]).at(0);
    rows.push_back(
        {section, marked(cells[1]), marked(cells[2]), cells[2].find("...") != std::string::npos});
  }
  return rows;
}

bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The differences between a row and the program. Values that the page describes in prose are not
/// compared: the default of `rank`, and defaults that are the values of other keys.
Words differences(const Row& row, const Key& key) {
  Words found;
  const bool is_alone = row.keys.size() == 1;
  const Words first(row.values.begin(), row.values.begin() + (row.values.empty() ? 0 : 1));
  const bool has_value = !key.standard.empty() && key.standard.find("input.") != 0;
  if (has_value && key.name != "rank" && !holds(is_alone ? first : row.values, key.standard))
    found.push_back(fmt::format("the default is {}", key.standard));
  for (const std::string_view word : key.choices)
    if (is_alone && !row.is_short && !holds(row.values, word))
      found.push_back(fmt::format("also takes {}", word));
  return found;
}

/// One line for each difference between a page and a table of keys.
Words differences(const std::string& page, std::span<const Key> keys) {
  Words found;
  std::set<std::string> seen;
  for (const Row& row : rows_of(page))
    for (const std::string& name : row.keys) {
      const std::string full = row.section + "." + name;
      const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& one) {
        return one.section == row.section && one.name == name;
      });
      if (key == keys.end()) {
        found.push_back(full + ": no such key");
        continue;
      }
      if (!seen.insert(full).second) found.push_back(full + ": a second row");
      for (const std::string& what : differences(row, *key)) found.push_back(full + ": " + what);
    }
  for (const Key& key : keys)
    if (key.instead.empty() && !seen.contains(fmt::format("{}.{}", key.section, key.name)))
      found.push_back(fmt::format("{}.{}: no row", key.section, key.name));
  return found;
}

std::string page_of(const std::string& name) {
  std::ifstream file(STENCIL_SOURCE_DIR "/docs/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns a line for each family of masks in the tables of a page, such as `gaussian: sigma order
/// truncate`.
std::string families_on(const std::string& page) {
  std::string found;
  bool is_of_masks = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.find('|') != 0) is_of_masks = false;
    if (is_of_masks && line.find("| ---") != 0) {
      const Words cells = cells_of(line);
      for (const std::string& word : marked(cells[0]))
        found += fmt::format("{}: {}\n", word, fmt::join(marked(cells[1]), " "));
    }
    if (line.find("| word | keys |") == 0) is_of_masks = true;
  }
  return found;
}

TEST(MasksPage, NamesTheFamiliesThatTheProgramHasWithTheirKeys) {
  std::string families;
  for (const Family& family : all_families())
    families += fmt::format("{}: {}{}\n", family.name, family.across ? "axis " : "", family.keys);
  EXPECT_EQ(families_on(page_of("masks.md")), families);
}

TEST(ConfigPage, NamesTheKeysThatTheProgramHas) {
  const std::string page = page_of("configuration.md");
  EXPECT_GT(rows_of(page).size(), 20u) << "the tables are not found";
  EXPECT_EQ(fmt::format("{}", fmt::join(differences(page, all_keys()), "\n")), "");
}

TEST(ConfigPage, EveryChangeOfATableIsFound) {
  constexpr std::string_view types[] = {"auto", "float32", "float64"};
  const std::vector<Key> keys{
      {.section = "output", .name = "file", .values = "path"},
      {.section = "output", .name = "dtype", .values = "", .standard = "auto", .choices = types},
      {.section = "stencil", .name = "sigma", .values = ""},
      {.section = "run", .name = "chunk", .values = "", .standard = "none"},
      {.section = "run", .name = "level", .values = "", .standard = "0.5"},
      {.section = "run", .name = "restart", .values = "", .standard = "no", .instead = "write no"}};
  const std::string page =
      "| section | key | values |\n| --- | --- | --- |\n"
      "| `output` | `file` | path |\n"
      "| | `dtype` | `auto` · `float32` · `float64` |\n"
      "| `run` | `chunk`, `level` | `none` · `4`; `0.5` |\n"
      "\n| section | key | values |\n| --- | --- | --- |\n"
      "| `stencil` | `sigma` | a number |\n";
  EXPECT_EQ(differences(page, keys), Words{});
  struct Change {
    std::string from, to, found;
  };
  for (const auto& [from, to, found] : std::vector<Change>{
           {"`dtype`", "`type`", "output.type: no such key, output.dtype: no row"},
           {"| | `dtype`", "| `run` | `dtype`", "run.dtype: no such key, output.dtype: no row"},
           {"`auto` · `float32`", "`float32` · `auto`", "output.dtype: the default is auto"},
           {" · `float64`", "", "output.dtype: also takes float64"},
           {"`0.5`", "`0.7`", "run.level: the default is 0.5"},
           {"`chunk`, ", "`chunk`, `restart`, ", "run.restart: the default is no"},
           {"`level`", "`level`, `level`", "run.level: a second row"}}) {
    std::string changed = page;
    ASSERT_NE(changed.find(from), changed.npos);
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_EQ(fmt::format("{}", fmt::join(differences(changed, keys), ", ")), found);
  }
}

}  // namespace
}  // namespace stencil
