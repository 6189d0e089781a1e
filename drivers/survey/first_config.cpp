#include "drivers/survey/first_config.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "drivers/survey/dataset_words.hpp"
#include "drivers/survey/first_stage.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/read/read_values.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

Index points_of(const ListedDataset& dataset) {
  Index points = 1;
  for (const Index extent : dataset.facts.dims) points *= extent;
  return points;
}

struct Chosen {
  ListedDataset dataset;
  std::string why;
};

/// Returns the dataset that the user names. If the user names no dataset, returns the first of the
/// largest supported datasets.
Chosen choose(const std::string& file, const std::string& name) {
  if (!name.empty()) return {list_dataset(file, name), "as asked for"};
  FileListing listing = list_datasets(file);
  std::erase_if(listing.datasets, [](const ListedDataset& one) { return !one.refusal.empty(); });
  const auto is_less = [](const ListedDataset& a, const ListedDataset& b) {
    if (a.is_scale != b.is_scale) return a.is_scale;
    return points_of(a) < points_of(b);
  };
  const auto largest = std::max_element(listing.datasets.begin(), listing.datasets.end(), is_less);
  if (largest == listing.datasets.end())
    throw WordsError(
        fmt::format("{} holds no dataset that can be filtered: stencil_run --list "
                    "shows what it holds",
                    one_line(file)));
  const std::size_t count = listing.datasets.size();
  return {std::move(*largest),
          count == 1 ? "the only one" : fmt::format("the largest of {}; --list shows all", count)};
}

/// Returns a value as text for a configuration, quoted if necessary.
std::string written(const std::string& value) {
  const bool has_double = value.find('"') != value.npos,
             has_single = value.find('\'') != value.npos;
  const bool is_plain = value.find('#') == value.npos && !has_double && !has_single &&
                        value.front() != ' ' && value.back() != ' ';
  const bool has_control = std::any_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (has_control || (has_double && has_single))
    throw WordsError(
        fmt::format("{}: a name with control characters or both kinds of quotes, "
                    "which no configuration can hold: rename it",
                    one_line(value)));
  if (is_plain) return value;
  return has_double ? "'" + value + "'" : '"' + value + '"';
}

/// Returns a file name such as `strain_bandpass.h5`, or `strain_bandpass_2.h5` if the first file
/// exists.
std::string free_name(const std::string& stem, const std::string& extension) {
  std::string name = stem + extension;
  for (int number = 2; fs::exists(fs::symlink_status(name)); ++number)
    name = fmt::format("{}_{}{}", stem, number, extension);
  return name;
}

std::string input_lines(const ListedDataset& dataset, const FirstAxis& axis,
                        const FirstStage& stage) {
  const DatasetFacts& facts = dataset.facts;
  std::string text =
      fmt::format("# {} {}, {}\n", shape_words(facts), type_words(facts), storage_words(facts));
  for (std::size_t i = 0; i < facts.dims.size(); ++i)
    text += fmt::format("# axis {}: {}\n", i, axis_words(dataset, i));
  if (stage.runs_along) text += fmt::format("axis = {:<21} # {}\n", axis.axis, axis.why);
  if (stage.needs_rate && !axis.is_of_file)
    text += fmt::format("sampling_rate = {:<12.15g} # the file gives none in Hz: cutoff is in {}\n",
                        axis.rate, axis.unit);
  DatasetFacts tried = facts;
  const std::string packing = packing_words(facts);
  try {
    read_values(tried);
    if (!packing.empty())
      text += fmt::format("packed = values              # {}; stored: the numbers themselves\n",
                          packing);
  } catch (const WordsError& error) {
    text += fmt::format("packed = stored              # {}\n", one_line(error.what()));
  }
  return text;
}

std::string missing_lines(const DatasetFacts& facts, const FirstStage& stage) {
  std::string missing = missing_words(facts);
  if (missing.empty()) missing = "the file names none";
  std::string text =
      fmt::format("\n[missing]\nvalue = auto                 # {}; NaN is missing, too\n", missing);
  if (stage.is_mean)
    text += "policy = renormalize         # means over the valid points under the mask\n";
  else
    text +=
        "policy = propagate           # outputs near a missing point are missing; fill: numbers "
        "instead\n";
  return text;
}

std::string text_of(const std::string& filter, const std::string& file, const Chosen& chosen,
                    const std::string& config_name, const std::string& output_name) {
  const FirstAxis axis = first_axis_of(chosen.dataset);
  const FirstStage stage = first_stage_of(filter, chosen.dataset, axis);
  const bool can_miss = stage.is_mean ? is_floating(chosen.dataset.facts.type) ||
                                            !missing_words(chosen.dataset.facts).empty()
                                      : !missing_words(chosen.dataset.facts).empty();
  return fmt::format(
             "# Made by stencil_run --init {} for this file. stencil_run --help explains all "
             "keys.\n"
             "#   stencil_run --check {}\n"
             "#   mpirun -n 4 stencil_run {}\n\n"
             "[input]\nfile = {}\ndataset = {}\n# {}\n",
             filter, config_name, config_name, written(file), written(chosen.dataset.path),
             chosen.why) +
         input_lines(chosen.dataset, axis, stage) +
         (can_miss ? missing_lines(chosen.dataset.facts, stage) : "") + "\n[stencil]\n" +
         stage.lines +
         "boundary = reflect           # the values beyond the edges, as in scipy.ndimage\n" +
         fmt::format("\n[output]\nfile = {}\n", written(output_name)) +
         "# compression = gzip:4\n"
         "# overwrite = true             # replaces an output that exists\n";
}

}  // namespace

FirstConfig make_first_config(const std::string& filter, const std::string& file,
                              const std::string& dataset) {
  const std::vector<std::string>& names = first_filters();
  if (std::find(names.begin(), names.end(), filter) == names.end())
    first_stage_of(filter, {}, {});  // throws before the file is opened
  const Chosen chosen = choose(file, dataset);
  const fs::path path(file);
  const std::string stem = fmt::format("{}_{}", path.stem().string(), filter);
  const bool is_netcdf = path.extension() == ".nc" || path.extension() == ".nc4";
  FirstConfig config{.name = stem + ".ini", .text = {}};
  config.text =
      text_of(filter, file, chosen, config.name, free_name(stem, is_netcdf ? ".nc" : ".h5"));
  return config;
}

void write_first_config(const FirstConfig& config) {
  const int file = ::open(config.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    throw StorageError(fmt::format("{} exists, and --init replaces no file: remove or rename it",
                                   one_line(config.name)));
  bool is_written = file >= 0;
  for (std::size_t done = 0; is_written && done < config.text.size();) {
    const ssize_t bytes = ::write(file, config.text.data() + done, config.text.size() - done);
    is_written = bytes > 0 || (bytes < 0 && errno == EINTR);
    if (bytes > 0) done += static_cast<std::size_t>(bytes);
  }
  int error = errno;
  const bool is_closed = file >= 0 && ::close(file) == 0;
  if (is_closed && is_written) return;
  if (is_written) error = errno;
  if (file >= 0) ::unlink(config.name.c_str());
  throw StorageError(
      fmt::format("{} cannot be written ({}): work in a folder that can be written to",
                  one_line(config.name), std::strerror(error)));
}

}  // namespace stencil
