#include "io/write/carry/other_views.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "io/hdf5/object_path.hpp"

namespace stencil::storage {
namespace {

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

/// Returns a name without its number: `ResolutionLevel 3` -> `resolutionlevel`; empty if the name
/// has no number.
std::string without_number(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789");
  const std::size_t begin = digits == name.npos ? 0 : digits + 1;
  if (begin == name.size()) return "";
  std::string stem;
  for (const char c : lower(name.substr(0, begin)))
    if (c != ' ' && c != '_' && c != '-') stem += c;
  return stem.empty() ? "#" : stem;
}

/// Returns whether two names are numbered levels of a pyramid.
bool are_levels(const std::string& name, const std::string& other, bool is_bigdataviewer) {
  constexpr std::array stems{"resolutionlevel", "resolution", "level", "scale", "pyramid", "res"};
  const std::string stem = without_number(name);
  if (stem.empty() || stem != without_number(other) || name == other) return false;
  return (is_bigdataviewer && stem == "#") ||
         std::find(stems.begin(), stems.end(), stem) != stems.end();
}

bool is_statistic(const std::string& name) {
  constexpr std::array names{"histogram", "histogram1024", "hist",       "statistics", "stats",
                             "mean",      "average",       "std",        "stddev",     "variance",
                             "median",    "minimum",       "maximum",    "min",        "max",
                             "rms",       "quantiles",     "percentiles"};
  const std::string low = lower(name);
  return std::find(names.begin(), names.end(), low) != names.end();
}

}  // namespace

std::string is_false_beside(const std::string& path, const std::string& data) {
  const std::vector<std::string> names = split_path(path), of_data = split_path(data);
  const bool is_bigdataviewer = of_data.back() == "cells" && of_data.size() == 4;
  std::size_t at = 0;
  while (at < names.size() && at < of_data.size() && names[at] == of_data[at]) ++at;
  if (at < names.size() && at < of_data.size() &&
      are_levels(names[at], of_data[at], is_bigdataviewer))
    return "which is another resolution of the data";
  if (names.size() == of_data.size() && at + 1 == names.size() && is_statistic(names.back()))
    return "which is a statistic of the data";
  return "";
}

}  // namespace stencil::storage
