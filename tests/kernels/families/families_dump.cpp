// Answers requests of families_scipy.py, one per line:
//
//     names                               the names of the families
//     AXES DIRECTION NAME key=value ...   the taps, rows separated by `;`, or `error` and the
//     reason
//
// AXES is the number of axes of the mask. If a mask over two axes computes a derivative, DIRECTION
// is the axis of this derivative. If a value is a list, commas separate its items. The key `rate`
// sets the sampling rate.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/families/family_table.hpp"

namespace {

using namespace stencil;

void read(const std::string& text, double& value) {
  value = std::stod(text);
}
void read(const std::string& text, Index& value) {
  value = std::stoll(text);
}
void read(const std::string& text, std::string& value) {
  value = text;
}
template <class T>
void read(const std::string& text, std::vector<T>& values) {
  values.clear();
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) read(item, values.emplace_back());
}

FamilyParameters parameters_of(std::istream& words) {
  FamilyParameters parameters;
  for (std::string word; words >> word;) {
    const std::string key = word.substr(0, word.find('=')), value = word.substr(key.size() + 1);
    if (key == "rate") {
      read(value, parameters.sampling_rate);
      continue;
    }
    const Parameter* parameter = find_parameter(key);
    if (parameter == nullptr) throw std::invalid_argument("no key " + key);
    std::visit([&](auto field) { read(value, parameters.*field); }, parameter->field);
  }
  return parameters;
}

std::vector<double> product_of(const Factors& factors) {
  std::vector<double> taps;
  for (const double y : factors.column)
    for (const double x : factors.row) taps.push_back(y * x);
  return taps;
}

Taps taps_of(std::istream& words) {
  int axes = 0;
  std::size_t direction = 0;
  std::string name;
  words >> axes >> direction >> name;
  const Family* family = find_family(name);
  if (family == nullptr) throw std::invalid_argument("no family " + name);
  const FamilyParameters parameters = parameters_of(words);
  if (axes == 1) {
    const std::vector<double> taps = family->along(parameters, 0);
    return {.height = 1, .width = static_cast<Index>(taps.size()), .values = taps};
  }
  const auto taps = taps_over_two_axes(*family, parameters, direction);
  if (const Taps* grid = std::get_if<Taps>(&taps)) return *grid;
  const Factors& factors = std::get<Factors>(taps);
  return {.height = static_cast<Index>(factors.column.size()),
          .width = static_cast<Index>(factors.row.size()),
          .values = product_of(factors)};
}

std::string answer_to(const std::string& line) {
  std::string text;
  if (line == "names") {
    for (const Family& family : all_families()) text += fmt::format("{} ", family.name);
    return text;
  }
  std::istringstream words(line);
  const Taps taps = taps_of(words);
  for (Index y = 0; y < taps.height; ++y) {
    const auto row = taps.values.begin() + y * taps.width;
    text += fmt::format("{}{:.17g}", y == 0 ? "" : ";", fmt::join(row, row + taps.width, " "));
  }
  return text;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) try {
      fmt::print("{}\n", answer_to(line));
    } catch (const std::exception& error) {
      fmt::print("error {}\n", error.what());
    }
}
