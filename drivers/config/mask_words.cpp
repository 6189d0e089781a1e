#include "drivers/config/mask_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/nearest.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

/// One row of taps, written again with single blanks; `count` is the number of taps of the rows
/// before.
std::string read_row(std::string_view row, std::size_t& count) {
  if (trimmed(row).empty())
    throw BadValue("a row of the mask is empty, write taps between the semicolons");
  const auto items = split_list(row);
  if (count != 0 && items.size() != count)
    throw BadValue(
        fmt::format("rows of {} and {} taps, write equally many in each", count, items.size()));
  count = items.size();
  std::string text;
  for (const std::string_view item : items) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}", to_real(item, {}));
  }
  return text;
}

MaskWords read_taps(std::string_view text) {
  MaskWords mask;
  std::size_t count = 0;
  mask.rank = 1;
  while (true) {
    const std::size_t end = std::min(text.find(';'), text.size());
    mask.text += read_row(text.substr(0, end), count);
    if (end == text.size()) return mask;
    mask.rank = 2;
    mask.text += "; ";
    text.remove_prefix(end + 1);
  }
}

}  // namespace

MaskWords read_mask(std::string_view text) {
  text = trimmed(text);
  if (const Family* family = find_family(text)) return {std::string(text), family, 0};
  const std::size_t colon = text.rfind(":/");
  if (colon != text.npos) {
    if (colon == 0 || colon + 2 == text.size())
      throw BadValue("write the file and the dataset, for example masks.h5:/psf");
    return {std::string(text), nullptr, 0};
  }
  const bool word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front()));
  if (!word || text == "nan" || text == "inf") return read_taps(text);
  if (nearest(text, family_names()).empty() && text.find(".h5") != text.npos)
    throw BadValue(fmt::format("name the dataset too: {}:/dataset", shortened(text)));
  throw BadValue(fmt::format("no such family, {}, or write taps such as 1 2 1",
                             suggestion(text, family_names())));
}

}  // namespace stencil
