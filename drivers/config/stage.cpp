#include "drivers/config/stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/config/mask_words.hpp"
#include "drivers/config/unit_values.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

/// Returns the keys of a family as text: `box takes rank, size`.
std::string keys_of(const Family& family) {
  std::vector<std::string_view> keys;
  for (const Key& key : all_keys())
    if (!families_of(key).empty() && means_something(key, &family)) keys.push_back(key.name);
  return fmt::format("{} takes {}", family.name, fmt::join(keys, ", "));
}

/// Returns text such as `mask = m.h5:/psf, which is read from a file`. Messages about other keys
/// contain this text, because the mistake may be in the mask.
std::string mask_text(const MaskWords& mask) {
  return fmt::format("mask = {}, {}", shortened(mask.text),
                     mask.location ? "which is read from a file" : "whose taps are written out");
}

void check_meaning(const SectionReader& reader, const MaskWords& mask) {
  const Family* family = mask.family;
  for (const Key& key : all_keys()) {
    if (key.section != "stencil" || !reader.given(key.name) || means_something(key, family))
      continue;
    if (family)
      reader.refuse(key.name, fmt::format("key {} means nothing for mask = {}; {}", key.name,
                                          family->name, keys_of(*family)));
    reader.refuse(key.name,
                  fmt::format("key {} means nothing for {}: remove it, or write the mask that it "
                              "belongs to ({})",
                              key.name, mask_text(mask), fmt::join(families_of(key), ", ")));
  }
  if (!family) return;
  for (const std::string& name : split_words(family->keys)) {
    const Key& key = *find_key("stencil", name);
    if (key.standard.empty() && !reader.given(name))
      reader.refuse("mask", fmt::format("mask = {} needs {}, write {} = {}", family->name, name,
                                        name, key.values));
  }
}

std::vector<AxisWord> read_axes(const SectionReader& reader) {
  if (!reader.given("axes")) return {};
  return reader.read("axes", [](const std::string& text, const Key& key) {
    std::vector<AxisWord> axes;
    for (const std::string_view word : split_list(text)) {
      if (number_end(word) == word.size())
        axes.emplace_back(static_cast<int>(to_integer(word, key.range)));
      else
        axes.emplace_back(std::string(word));
    }
    if (axes.size() > 3) throw BadValue(fmt::format("{} axes: write three at most", axes.size()));
    return axes;
  });
}

/// Returns `one axis`, `two axes` or `three axes`.
const char* axes_text(int count) {
  return count == 1 ? "one axis" : count == 2 ? "two axes" : "three axes";
}

/// Returns the rank of the mask, 1 to 3, if the configuration determines it, and otherwise 0.
int read_rank(const SectionReader& reader, const MaskWords& mask, std::size_t given_axes) {
  const int by_axes = static_cast<int>(given_axes);
  if (!mask.family) {
    if (by_axes != 0 && mask.rank != 0 && by_axes != mask.rank)
      reader.refuse(
          "axes", fmt::format("{} {} given, but mask = {} runs along {}: write {}",
                              axes_text(by_axes), by_axes == 1 ? "is" : "are", shortened(mask.text),
                              axes_text(mask.rank), axes_text(mask.rank)));
    return mask.rank == 0 ? by_axes : mask.rank;
  }
  const std::string word = reader.choice("rank");
  const int given = word == "auto" ? 0 : word == "1" ? 1 : 2;
  if (by_axes != 0 && given != 0 && by_axes != given)
    reader.refuse("rank",
                  fmt::format("{} does not fit axes, which has {}: remove rank", given, by_axes));
  const int rank = given == 0 ? by_axes : given;
  if (!mask.family->one_dimensional) return rank;
  if (rank > 1 && given == 0)
    reader.refuse("axes", fmt::format("{} is a filter along one axis, write one axis, and chain "
                                      "several stages for several axes",
                                      mask.text));
  if (rank == 2)
    reader.refuse("rank",
                  fmt::format("{} is a filter along one axis, write 1, and chain two stages "
                              "for two axes",
                              mask.text));
  return 1;
}

void read_axis(const SectionReader& reader, const MaskWords& mask, int rank, StageConfig& stage) {
  stage.axis = reader.optional_int("axis");
  const bool directed = mask.family && mask.family->across != nullptr;
  if (stage.axis && !stage.axes.empty() && !directed)
    reader.refuse("axis",
                  "has no effect together with axes, which names the axes of the mask: remove it");
  if (stage.axis && rank >= 2 && !directed)
    reader.refuse("axis", fmt::format("has no effect for a mask over the last {}, remove it",
                                      axes_text(rank)));
}

std::string read_window(const SectionReader& reader, std::string_view window) {
  return reader.read(window, [](const std::string& word, const Key& key) {
    for (const std::string_view name : {"kaiser", "gaussian"}) {
      if (word == name) throw BadValue(fmt::format("write its number too, {}:8.6", name));
      if (word.compare(0, name.size(), name) != 0 || word[name.size()] != ':') continue;
      const Range range{.low = 0, .open = name == "gaussian"};
      return fmt::format("{}:{}", name, to_real(trimmed(word.substr(name.size() + 1)), range));
    }
    place_among(key.choices, word);
    if (word.find(':') != word.npos) throw BadValue("write a number after the colon");
    return word;
  });
}

/// Reads `file.h5:/dataset`; returns an empty text for `none`.
std::string read_dataset(const SectionReader& reader, std::string_view key) {
  return reader.read(key, [](const std::string& word, const Key&) {
    return read_location(word) ? std::string(trimmed(word)) : std::string();
  });
}

/// Reads one key of a mask family into the corresponding member of FamilyParameters.
struct ParameterReader {
  const SectionReader& reader;
  std::string_view key;
  std::size_t most;  ///< largest number of values in a list

  void read(double& value) const { value = reader.real(key); }
  void read(Index& value) const { value = reader.integer(key); }
  void read(std::vector<double>& values) const { values = reader.reals(key, most); }
  void read(std::vector<Index>& values) const { values = reader.integers(key, most); }
  void read(std::string& word) const {
    word = key == "window" ? read_window(reader, key) : read_dataset(reader, key);
  }
};

/// @param axes  largest possible number of axes of the mask
void read_family(const SectionReader& reader, std::size_t axes, StageConfig& stage) {
  const Family* family = stage.mask.family;
  if (family == nullptr) return;
  FamilyParameters& p = stage.parameters;
  for (const std::string& key : split_words(family->keys)) {
    const Parameter& parameter = *find_parameter(key);
    p.delta_of_coordinates |= key == "delta" && reader.text(key) == "coordinates";
    if (key == "delta" && (p.delta_of_coordinates || !reader.given(key))) continue;
    if (key == "sigma") {
      const UnitValues values = reader.read(key, [&](const std::string& text, const Key& row) {
        return to_unit_values(text, row.range, axes);
      });
      p.sigma = values.numbers;
      p.sigma_unit = values.unit;
      continue;
    }
    const ParameterReader one{reader, key, parameter.per_axis ? axes : 2};
    std::visit([&](auto field) { one.read(p.*field); }, parameter.field);
  }
  if (p.delta_of_coordinates && !is_derivative(*family, p))
    reader.refuse("delta", "means nothing without a derivative: remove it");
  if (family->check == nullptr) return;
  if (const auto bad = family->check(p)) reader.refuse(bad->key, bad->why);
}

std::vector<std::string> boundary_words(const SectionReader& reader, std::size_t most) {
  return reader.read("boundary", [&](const std::string& text, const Key& key) {
    std::vector<std::string> words;
    for (const std::string_view word : split_list(text)) {
      place_among(key.choices, word);
      words.emplace_back(word);
    }
    if (words.size() > most)
      throw BadValue(fmt::format("{} words, write {}", words.size(),
                                 most == 1 ? "one" : fmt::format("at most {}", most)));
    return words;
  });
}

void read_boundary(const SectionReader& reader, std::size_t most, StageConfig& stage) {
  const std::vector<std::string> words = boundary_words(reader, most);
  const auto holds = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  stage.boundary_value = reader.read("boundary_value", [](const std::string& word, const Key& key) {
    return word == "nan" || word == "NaN" ? std::numeric_limits<double>::quiet_NaN()
                                          : to_real(word, key.range);
  });
  const bool constant = holds("constant");
  if (reader.given("boundary_value") && !constant)
    reader.refuse("boundary_value", "means nothing without boundary = constant, remove it");
  if (constant && holds("zero") && stage.boundary_value != 0)
    reader.refuse("boundary",
                  fmt::format("zero and constant = {} cannot go together, write one value "
                              "for all axes",
                              stage.boundary_value));
  stage.fits_edges = holds("interp");
  if (stage.fits_edges && stage.mask.family != find_family("savgol"))
    reader.refuse("boundary",
                  "interp fits the polynomial of mask = savgol to the points at the edges: write "
                  "another word for this mask");
  if (stage.fits_edges && stage.operation == Operation::convolve)
    reader.refuse("boundary",
                  "interp is that of scipy.signal.savgol_filter: write operation = correlate, or "
                  "another boundary");
  stage.boundary.clear();
  for (const std::string& word : words) stage.boundary.push_back(meaning_of<BoundaryRule>(word));
}

void read_sampling(const SectionReader& reader, std::size_t most, StageConfig& stage) {
  stage.extent = reader.meaning<Extent>("extent");
  stage.origin = reader.integers("origin", most);
  stage.stride = reader.integers("stride", most);
  stage.steps = reader.integer("steps");
  if (stage.steps == 1) return;
  if (stage.extent != Extent::same)
    reader.refuse("steps", fmt::format("several steps keep the shape, but extent = {}: write "
                                       "extent = same, or one step",
                                       word_of(stage.extent)));
  for (const Index stride : stage.stride)
    if (stride != 1)
      reader.refuse("steps", fmt::format("several steps keep the shape, but stride = {}: write "
                                         "stride = 1, or one step",
                                         stride));
}

/// Parses a limit such as `1e-8` or `1e-8 rms`.
ChangeLimit to_limit(const std::string& text, const Key& key) {
  const auto words = split_list(text);
  if (words.size() > 2 || (words.size() == 2 && words[1] != "rms" && words[1] != "max"))
    throw BadValue("write a number for the largest change, such as 1e-8, or 1e-8 rms");
  return {to_real(words.at(0), key.range), words.size() == 2 && words[1] == "rms"};
}

void read_limit(const SectionReader& reader, StageConfig& stage) {
  if (!reader.given("until_change_below")) return;
  stage.until_change_below = reader.read("until_change_below", to_limit);
  if (stage.steps == 1)
    reader.refuse("until_change_below",
                  "means nothing for a single step: write steps, the most that may be done");
}

}  // namespace

std::string text_of(const std::vector<AxisWord>& words) {
  std::string text;
  for (const AxisWord& axis : words) {
    if (!text.empty()) text += " ";
    std::visit([&](const auto& word) { text += fmt::format("{}", word); }, axis);
  }
  return text;
}

std::vector<std::string> datasets_of(const StageConfig& stage) {
  std::vector<std::string> texts;
  if (stage.mask.location) texts.push_back(stage.mask.text);
  for (const std::string* text : {&stage.parameters.shape, &stage.parameters.psd})
    if (!text->empty()) texts.push_back(*text);
  return texts;
}

StageConfig read_stage(const SectionReader& reader) {
  StageConfig stage;
  stage.name = reader.section();
  stage.mask =
      reader.read("mask", [](const std::string& word, const Key&) { return read_mask(word); });
  const MaskWords& mask = stage.mask;
  check_meaning(reader, mask);
  stage.axes = read_axes(reader);
  const int rank = read_rank(reader, mask, stage.axes.size());
  if (mask.family) stage.rank = rank == 3 ? 0 : rank;
  // The mask in a file may have up to three axes.
  const std::size_t most = rank != 0 ? static_cast<std::size_t>(rank) : mask.location ? 3 : 2;
  stage.operation = reader.meaning<Operation>("operation");
  read_axis(reader, mask, rank, stage);
  read_family(reader, most, stage);
  read_boundary(reader, most, stage);
  read_sampling(reader, most, stage);
  read_limit(reader, stage);
  stage.groups = reader.integer("groups");
  if (stage.groups != 1 && !mask.location)
    reader.refuse("groups",
                  "means nothing without channels: it belongs to a mask [out, in, height, width], "
                  "written file.h5:/dataset");
  stage.method = reader.meaning<MethodRequest>("method");
  return stage;
}

}  // namespace stencil
