#include "drivers/survey/list_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "drivers/survey/dataset_words.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

std::string line(std::string_view name, const std::string& words) {
  return words.empty() ? "" : fmt::format("    {:<9} {}\n", name, words);
}

std::string dataset_text(const ListedDataset& dataset) {
  const std::string path = one_line(dataset.path);
  const DatasetFacts& facts = dataset.facts;
  std::string text =
      fmt::format("{}\n    {} {}, {}{}\n", path, shape_words(facts), type_words(facts),
                  storage_words(facts), dataset.is_scale ? ", a dimension scale" : "");
  if (dataset.is_scale && dataset.axes.size() == 1)
    return text + line("units", shortened(dataset.units, 200));
  for (std::size_t axis = 0; axis < dataset.axes.size(); ++axis)
    text += line(fmt::format("axis {}", axis), axis_words(dataset, axis));
  return text + line("missing", missing_words(facts)) + line("values", packing_words(facts)) +
         line("units", shortened(dataset.units, 200));
}

/// Returns the datasets that are not supported, grouped by reason.
std::string refused_text(const std::vector<ListedDataset>& datasets) {
  std::vector<std::pair<std::string, std::string>> groups;  // reason, paths
  for (const ListedDataset& dataset : datasets) {
    if (dataset.refusal.empty()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == dataset.refusal;
    });
    auto& group = same == groups.end() ? groups.emplace_back(dataset.refusal, "") : *same;
    group.second += fmt::format("    {}\n", one_line(dataset.path));
  }
  std::string text;
  for (const auto& [reason, paths] : groups)
    text += fmt::format("\nNot read: {}\n{}", one_line(reason, 400), paths);
  return text;
}

}  // namespace

std::string list_text(const std::string& file, const FileListing& listing) {
  const std::size_t count = listing.datasets.size() + listing.left_out;
  std::string text =
      fmt::format("{}: {} dataset{}\n", one_line(file), count, count == 1 ? "" : "s");
  for (const ListedDataset& dataset : listing.datasets)
    if (dataset.refusal.empty()) text += "\n" + dataset_text(dataset);
  text += refused_text(listing.datasets);
  if (listing.left_out > 0) text += fmt::format("\n{} more are not listed\n", listing.left_out);
  if (!listing.is_whole)
    text += "\nA part of the file is damaged, and its datasets are not listed\n";
  return text;
}

}  // namespace stencil
