#include "io/metadata/stated_numbers.hpp"

#include <algorithm>
#include <cstdlib>

#include "io/hdf5/attributes.hpp"

namespace stencil::storage {

std::optional<double> number_in(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return std::nullopt;
  const std::string word = text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
  if (word.find_first_not_of("0123456789+-.eE") != word.npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end != word.c_str() + word.size()) return std::nullopt;
  return value;
}

std::string stated_text(hid_t object, const std::string& name) {
  const std::vector<std::string> texts = attribute_texts(object, name);
  if (texts.size() == 1) return texts.front();
  std::string joined;
  for (const std::string& text : texts) {
    if (text.size() > 1) return texts.front();
    joined += text;
  }
  return joined;
}

std::vector<double> stated_numbers(hid_t object, const std::string& name) {
  if (auto numbers = attribute_numbers(object, name)) return *numbers;
  const std::vector<std::string> texts = attribute_texts(object, name);
  const bool is_one = std::all_of(texts.begin(), texts.end(), [&](const auto& text) {
    return texts.size() == 1 || text.size() <= 1;
  });
  if (texts.empty() || !is_one) return {};
  if (const auto number = number_in(stated_text(object, name))) return {*number};
  return {};
}

}  // namespace stencil::storage
