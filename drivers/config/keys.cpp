#include "drivers/config/keys.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/nearest.hpp"

namespace stencil {

namespace {

constexpr Family families[] = {
    {MaskFamily::gaussian, "gaussian", "sigma"},
    {MaskFamily::box, "box", "size"},
    {MaskFamily::laplace, "laplace", ""},
    {MaskFamily::sobel, "sobel", "", false, true},
    {MaskFamily::prewitt, "prewitt", "", false, true},
    {MaskFamily::lowpass, "lowpass", "taps cutoff", true, false, true},
    {MaskFamily::highpass, "highpass", "taps cutoff", true, false, true},
    {MaskFamily::bandpass, "bandpass", "taps cutoff", true, false, true},
    {MaskFamily::savgol, "savgol", "size polyorder", true},
};

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

std::span<const Family> all_families() {
  return families;
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
  for (const Family& family : families) names.emplace_back(family.name);
  return names;
}

const Key* find_key(std::string_view section, std::string_view name) {
  for (const Key& key : all_keys())
    if (key.section == section && key.name == name) return &key;
  return nullptr;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families)
    if (family.name == name) return &family;
  return nullptr;
}

bool means_something(const Key& key, std::string_view family) {
  return key.families.empty() || has_word(key.families, family);
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
