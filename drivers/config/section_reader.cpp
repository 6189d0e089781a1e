#include "drivers/config/section_reader.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "framework/grid/error.hpp"

namespace stencil {

SectionReader::SectionReader(const Words& words, std::string section, std::string place)
    : words_(words), section_(std::move(section)), place_(std::move(place)) {}

const Word* SectionReader::find(std::string_view key) const {
  const auto found = words_.find(fmt::format("{}.{}", section_, key));
  return found == words_.end() ? nullptr : &found->second;
}

const Key& SectionReader::row(std::string_view key) const {
  const Key* found = find_key(table_section(section_), key);
  if (found == nullptr) throw std::logic_error(fmt::format("no key {} in the table", key));
  return *found;
}

void SectionReader::refuse(std::string_view key, std::string_view why) const {
  const Word* word = find(key);
  if (word != nullptr) throw WordsError(fmt::format("{}: {}", word->where, why));
  throw WordsError(fmt::format("{}: {}: {}", place_, key, why));
}

std::string SectionReader::text(std::string_view key) const {
  if (const Word* word = find(key)) return word->text;
  const Key& entry = row(key);
  if (entry.standard.empty())
    refuse(key, fmt::format("missing, write {} = {}", key,
                            entry.values.empty() ? to_string(entry.range) : entry.values));
  return std::string(entry.standard);
}

std::string SectionReader::choice(std::string_view key) const {
  return read(key, [](const std::string& word, const Key& entry) {
    place_among(entry.choices, word);
    return word;
  });
}

double SectionReader::real(std::string_view key) const {
  return read(key,
              [](const std::string& word, const Key& entry) { return to_real(word, entry.range); });
}

Index SectionReader::integer(std::string_view key) const {
  return read(
      key, [](const std::string& word, const Key& entry) { return to_integer(word, entry.range); });
}

bool SectionReader::flag(std::string_view key) const {
  return read(key, [](const std::string& word, const Key&) { return to_flag(word); });
}

std::vector<double> SectionReader::reals(std::string_view key, std::size_t most) const {
  return read(key, [&](const std::string& word, const Key& entry) {
    return to_reals(word, entry.range, most);
  });
}

std::vector<Index> SectionReader::integers(std::string_view key, std::size_t most) const {
  return read(key, [&](const std::string& word, const Key& entry) {
    return to_integers(word, entry.range, most);
  });
}

std::vector<Index> SectionReader::extents(std::string_view key, std::size_t most) const {
  return read(key, [&](const std::string& word, const Key& entry) {
    if (word == entry.standard) return std::vector<Index>{};
    return to_extents(word, entry.range, most);
  });
}

std::optional<int> SectionReader::optional_int(std::string_view key) const {
  if (!given(key)) return std::nullopt;
  return static_cast<int>(integer(key));
}

}  // namespace stencil
