#include "drivers/config/mask_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/keys.hpp"
#include "drivers/config/known_elsewhere.hpp"
#include "drivers/config/values.hpp"
#include "framework/grid/nearest.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

void add_row(std::string_view row, MaskWords& mask) {
  if (trimmed(row).empty())
    throw BadValue("a row of the mask is empty, write taps between the semicolons");
  std::vector<double> taps;
  for (const std::string_view item : split_list(row)) taps.push_back(to_real(item, {}));
  const auto count = static_cast<Index>(taps.size());
  if (mask.height != 0 && count != mask.width)
    throw BadValue(
        fmt::format("rows of {} and {} taps, write equally many in each", mask.width, count));
  mask.width = count;
  mask.text += fmt::format("{}{}", mask.height == 0 ? "" : "; ", fmt::join(taps, " "));
  mask.values.insert(mask.values.end(), taps.begin(), taps.end());
  ++mask.height;
}

/// Reads one row, or several rows that are separated by `;`.
MaskWords read_plane(std::string_view text) {
  MaskWords mask;
  mask.rank = text.find(';') == text.npos ? 1 : 2;
  while (true) {
    const std::size_t end = std::min(text.find(';'), text.size());
    add_row(text.substr(0, end), mask);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(text).empty()) break;
  }
  // Without this `;`, the text would become a one-dimensional mask when it is parsed again.
  if (mask.rank == 2 && mask.height == 1) mask.text += ';';
  return mask;
}

MaskWords read_taps(std::string_view text) {
  if (text.find('|') == text.npos) return read_plane(text);
  MaskWords mask;
  mask.rank = 3;
  mask.depth = 0;
  while (true) {
    const std::size_t end = std::min(text.find('|'), text.size());
    const MaskWords plane = read_plane(text.substr(0, end));
    if (mask.depth > 0 && (plane.height != mask.height || plane.width != mask.width))
      throw BadValue(fmt::format("planes of {} x {} and {} x {} taps, write equally many in each",
                                 mask.height, mask.width, plane.height, plane.width));
    mask.height = plane.height;
    mask.width = plane.width;
    const bool has_mark = plane.text.ends_with(';');
    mask.text += fmt::format("{}{}", mask.depth == 0 ? "" : " | ",
                             plane.text.substr(0, plane.text.size() - (has_mark ? 1 : 0)));
    mask.values.insert(mask.values.end(), plane.values.begin(), plane.values.end());
    ++mask.depth;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(text).empty()) break;
  }
  // without this `|`, the text would become a 2D mask when it is parsed again
  if (mask.depth == 1) mask.text += " |";
  return mask;
}

}  // namespace

MaskLocation mask_location(std::string_view mask) {
  const std::size_t colon = mask.rfind(":/");
  if (colon == mask.npos) return {};
  return {std::string(mask.substr(0, colon)), std::string(mask.substr(colon + 1))};
}

MaskLocation read_location(std::string_view text) {
  text = trimmed(text);
  if (text == "none") return {};
  MaskLocation location = mask_location(text);
  if (!location || location.dataset == "/")
    throw BadValue("write the file and the dataset, for example templates.h5:/chirp");
  return location;
}

MaskWords read_mask(std::string_view text) {
  text = trimmed(text);
  MaskWords mask;
  mask.text = text;
  mask.family = find_family(text);
  mask.location = mask_location(text);
  if (mask.family != nullptr) return mask;
  if (text.find(":/") != text.npos) {
    if (!mask.location || mask.location.dataset == "/")
      throw BadValue("write the file and the dataset, for example masks.h5:/psf");
    return mask;
  }
  const bool word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front()));
  if (!word || text == "nan" || text == "inf") return read_taps(text);
  if (const auto colon = text.find(".h5:"); colon != text.npos)
    throw BadValue(fmt::format("a dataset's path begins with /, write {}:/{}",
                               shortened(text.substr(0, colon + 3)),
                               shortened(text.substr(colon + 4))));
  if (nearest(text, family_names()).empty() && text.find(".h5") != text.npos)
    throw BadValue(fmt::format("name the dataset too: {}:/dataset", shortened(text)));
  if (const std::string advice = advice_for(text); !advice.empty()) throw BadValue(advice);
  throw BadValue(fmt::format("no such family, {}, or write taps such as 1 2 1",
                             suggestion(text, family_names())));
}

}  // namespace stencil
