#include "drivers/config/choices.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "framework/grid/nearest.hpp"

namespace stencil {

std::size_t place_among(std::span<const std::string_view> words, std::string_view text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    throw BadValue("no such word, " + suggestion(text, {words.begin(), words.end()}));
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace stencil
