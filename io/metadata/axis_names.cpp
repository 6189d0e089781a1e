#include "io/metadata/axis_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/time_scale.hpp"

namespace stencil::storage {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> usual_names{
    {{"t", "time"},
     {"times", "time"},
     {"time step", "time"},
     {"samples", "time"},
     {"locus", "distance"},
     {"loci", "distance"},
     {"channel", "distance"},
     {"channels", "distance"},
     {"trace", "distance"},
     {"lon", "x"},
     {"longitude", "x"},
     {"easting", "x"},
     {"col", "x"},
     {"column", "x"},
     {"lat", "y"},
     {"latitude", "y"},
     {"northing", "y"},
     {"row", "y"},
     {"depth", "z"},
     {"level", "z"},
     {"height", "z"},
     {"freq", "frequency"}}};

/// Returns whether a name has no meaning because it was generated for a dimension without a name.
bool is_a_number(const std::string& name) {
  return name.empty() || name == "?" || name.starts_with("axis_") || name.starts_with("dim_") ||
         name.starts_with("phony_dim_") || name.starts_with("fakedim") ||
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ' || c == ',' || c == ':')
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, std::string());
  return words;
}

/// Returns the names in an attribute of the dataset or of a group around it: a list, or a
/// comma-separated text.
std::vector<std::string> listed(const DatasetPath& path, const std::string& name) {
  std::vector<std::string> texts = attribute_texts(path.dataset, name);
  for (std::size_t depth = path.groups.size(); texts.empty() && depth-- > 0;)
    texts = attribute_texts(path.groups[depth], name);
  return texts.size() == 1 ? split(texts[0]) : texts;
}

/// Returns the names of the axes according to a row of the table of conventions; empty unless the
/// row determines the axes of datasets of this rank.
std::vector<std::string> fixed_by(std::string_view axes, const DatasetPath& path,
                                  std::size_t rank) {
  std::vector<std::string> names =
      axes.starts_with('@') ? listed(path, std::string(axes.substr(1))) : split(std::string(axes));
  if (!names.empty() && names.back() == "..." && rank + 1 >= names.size()) {
    names.pop_back();
    names.resize(std::max(rank, names.size()));
  }
  if (names.size() != rank) return {};
  return names;
}

std::vector<std::string> from_scales(hid_t dataset, std::size_t rank) {
  std::vector<std::string> names(rank);
  std::optional<std::size_t> by_unit;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const int at = static_cast<int>(axis);
    names[axis] = usual_axis_name(label_of(dataset, at));
    for (const Scale& scale : scales_of(dataset, at)) {
      if (names[axis].empty())
        names[axis] = usual_axis_name(scale.path.substr(scale.path.rfind('/') + 1));
      if (!by_unit && scale.dataset &&
          time_unit_of(attribute_text(scale.dataset, "units"),
                       attribute_text(scale.dataset, "calendar")))
        by_unit = axis;
    }
  }
  if (by_unit && std::find(names.begin(), names.end(), "time") == names.end())
    names[*by_unit] = "time";
  return names;
}

/// Returns the names `time` and `distance` for the axes of a dataset whose group contains the
/// number of loci (`NumberOfLoci`): the axis of that length is `distance`. The result is empty if
/// neither axis or both axes have that length.
std::vector<std::string> from_loci(const DatasetPath& path, const std::vector<Index>& dims) {
  if (dims.size() != 2 || dims[0] == dims[1]) return {};
  for (const Handle& group : path.groups)
    if (const auto loci = attribute_number(group, "NumberOfLoci"))
      for (const std::size_t axis : {0u, 1u})
        if (*loci == static_cast<double>(dims[axis]))
          return axis == 0 ? std::vector<std::string>{"distance", "time"}
                           : std::vector<std::string>{"time", "distance"};
  return {};
}

/// Returns whether a statement about the axis `name` cannot refer to the axis whose name in the
/// file is `own`.
bool is_other(const std::string& own, std::string_view name) {
  if (own.empty() || own == name) return false;
  if (own == "time") return true;
  const auto is_in = [](std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (name == "time")
    return is_in(own, {"x", "y", "z", "distance", "range", "azimuth", "frequency", "block"});
  return is_in(own, {"x", "y", "z"}) && is_in(name, {"x", "y", "z"});
}

}  // namespace

std::string usual_axis_name(const std::string& name) {
  std::string word;
  for (const char c : name) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (is_a_number(word)) return "";
  for (const auto& [from, to] : usual_names)
    if (word == from) return std::string(to);
  return word;
}

AxisNames::AxisNames(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = usual_axis_name(name);
}

AxisNames AxisNames::of(const DatasetPath& path, const std::vector<Index>& dims,
                        const std::vector<const Convention*>& rows) {
  std::vector<std::string> names;
  for (const Convention* row : rows)
    if (names.empty()) names = fixed_by(row->axes, path, dims.size());
  if (names.empty()) names = from_scales(path.dataset, dims.size());
  if (std::all_of(names.begin(), names.end(), [](const auto& name) { return name.empty(); }))
    if (auto by_loci = from_loci(path, dims); !by_loci.empty()) names = std::move(by_loci);
  return AxisNames(std::move(names));
}

std::optional<std::size_t> AxisNames::time() const {
  const auto found = std::find(names_.begin(), names_.end(), "time");
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

void AxisNames::set_time(std::size_t axis) {
  if (axis < names_.size() && !time()) names_[axis] = "time";
}

std::vector<std::size_t> AxisNames::possible(std::string_view name) const {
  std::vector<std::size_t> axes;
  std::size_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()) {
    if (number < size()) axes.push_back(number);
    return axes;
  }
  for (std::size_t axis = 0; axis < size(); ++axis)
    if (names_[axis] == name) axes.push_back(axis);
  if (!axes.empty()) return {axes.front()};
  for (std::size_t axis = 0; axis < size(); ++axis)
    if (name == "any" || name == "all" || !is_other(names_[axis], name)) axes.push_back(axis);
  if (axes.empty() && name == "x" && size() == 1) axes.push_back(0);  // the axis of a single signal
  return axes;
}

}  // namespace stencil::storage
