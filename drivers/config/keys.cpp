#include "drivers/config/keys.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/nearest.hpp"

namespace stencil {

namespace {

bool has_word(std::string_view words, std::string_view word) {
  const auto list = split_words(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::vector<std::string> split_words(std::string_view words) {
  std::vector<std::string> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

std::string table_section(std::string_view section) {
  return std::string(section.substr(0, section.find('.')));
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Key& key : all_keys())
    if (names.empty() || names.back() != key.section) names.emplace_back(key.section);
  return names;
}

std::vector<std::string> key_names(std::string_view section) {
  std::vector<std::string> names;
  for (const Key& key : all_keys())
    if (key.section == section) names.emplace_back(key.name);
  return names;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : all_families()) names.emplace_back(family.name);
  return names;
}

const Key* find_key(std::string_view section, std::string_view name) {
  for (const Key& key : all_keys())
    if (key.section == section && key.name == name) return &key;
  return nullptr;
}

std::vector<std::string> families_of(const Key& key) {
  if (key.section != "stencil") return {};
  if (key.name == "rank") return family_names();
  std::vector<std::string> names;
  for (const Family& family : all_families())
    if (has_word(family.keys, key.name)) names.emplace_back(family.name);
  return names;
}

bool means_something(const Key& key, const Family* family) {
  const std::vector<std::string> names = families_of(key);
  if (names.empty()) return true;
  return family != nullptr && std::find(names.begin(), names.end(), family->name) != names.end();
}

std::string unknown_key(std::string_view section, std::string_view name) {
  const auto known = key_names(section);
  if (!nearest(name, known).empty()) return "no such key, " + suggestion(name, known);
  for (const std::string& other : section_names())
    if (find_key(other, name))
      return fmt::format("no such key here, {} belongs into [{}]", name, other);
  return "no such key, " + suggestion(name, known);
}

}  // namespace stencil
