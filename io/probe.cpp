#include "io/probe.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <span>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/child.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/storage_environment.hpp"
#include "io/read/axis_coordinates.hpp"
#include "io/read/bank_rows.hpp"
#include "io/read/coordinate_range.hpp"
#include "io/read/dataset_list.hpp"
#include "io/read/file_check.hpp"
#include "io/read/input_dataset.hpp"
#include "io/read/inspect.hpp"
#include "io/write/output/output_creation.hpp"
#include "io/write/output/sources_beside.hpp"

namespace stencil {
namespace {

constexpr Index most_small_values = Index{1} << 24;
// files of one child process; their number is limited because the time of a child is limited
constexpr std::size_t files_at_a_time = 32;
constexpr std::size_t children_at_a_time = 8;

/// Joins names, each followed by a null byte, which no file name contains.
std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(name).push_back('\0');
  return text;
}

std::vector<std::string> separate_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size(); at += names.back().size() + 1)
    names.emplace_back(text.c_str() + at);
  return names;
}

/// Moves every second number, which is an imaginary part, to `imaginary`.
void take_imaginary(std::vector<double>& numbers, std::vector<double>& imaginary) {
  for (std::size_t i = 0; 2 * i < numbers.size(); ++i) {
    imaginary.push_back(numbers[2 * i + 1]);
    numbers[i] = numbers[2 * i];
  }
  numbers.resize(imaginary.size());
}

/// Returns the content of a SmallArray as bytes: the number of axes, the extents, the values, the
/// rows of a bank, and the files of virtual sources.
std::string read_values(const std::string& file_name, const std::string& dataset_name) {
  const storage::BankRows bank = storage::inspect_bank(file_name, dataset_name);
  const std::string where = storage::qualified_name(file_name, dataset_name);
  std::vector<Index> dims = bank.facts.dims;
  if (bank.is_one) dims.erase(dims.begin());
  const std::size_t rank = dims.size();
  if (!bank.rows.empty() && rank != 2 && rank != 3)
    throw WordsError(fmt::format(
        "{} has {}, but a bank of filters has 2 axes (masks of one) or 3 (masks of two)", where,
        rank == 1 ? "1 axis" : fmt::format("{} axes", rank)));
  if (bank.rows.empty() && rank > 4)
    throw WordsError(fmt::format(
        "{} has {} axes, but a mask has 1, 2, 3 or 4 ([out, in, height, width])", where, rank));
  if (const auto& parts = bank.facts.part_names;
      bank.facts.is_complex() && !storage::are_names_of_parts(parts[0], parts[1]))
    throw WordsError(
        fmt::format("{} is a compound of `{}` and `{}`, which are not the parts of complex taps: "
                    "name a dataset "
                    "of numbers, or call the members r and i",
                    where, one_line(parts[0]), one_line(parts[1])));
  Index count = 1;
  for (const Index extent : bank.facts.dims) count = checked_multiply(count, extent);
  if (count > most_small_values)
    throw WordsError(fmt::format("{} has {} values, but a mask has {} at most", where, count,
                                 most_small_values));
  count *= bank.facts.is_complex() ? 2 : 1;
  std::vector<double> values(static_cast<std::size_t>(count)), imaginary;
  const NormalForm form(bank.facts.number_dims(), {});
  const Point shape = form.shape();
  ::omp_set_num_threads(1);  // a forked child does not have the threads of its parent
  InputDataset(bank.facts)
      .read<double>(form, make_box(shape), {values.data(), shape, shape[1] * shape[2], shape[2]},
                    std::nullopt);
  if (bank.facts.is_complex()) take_imaginary(values, imaginary);
  std::string bytes;
  const auto append = [&](const auto& numbers) {
    const Index size = std::ssize(numbers);
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(reinterpret_cast<const char*>(numbers.data()),
                 numbers.size() * sizeof(numbers[0]));
  };
  append(dims);
  append(values);
  append(bank.rows);
  append(joined_names(bank.facts.sources));
  append(imaginary);
  return bytes;
}

using Names = std::span<const std::string>;

/// Returns the datasets of one file that a name or a pattern matches.
std::vector<std::string> names_in(const std::string& file, const std::string& dataset) {
  if (!storage::is_dataset_pattern(dataset)) return {dataset};
  storage::check_signature(file, storage::file_state(file).bytes);
  return storage::datasets_named(storage::open_for_reading(file), file, dataset);
}

/// Starts a child process that inspects, in each of the files, the datasets with this name or
/// pattern.
storage::Child look_at(const Names& files, const std::string& dataset) {
  return {storage::qualified_name(files.front(), dataset), [&] {
            prepare_storage_environment();
            std::string all;
            for (const std::string& file : files)
              for (const std::string& name : names_in(file, dataset)) {
                const std::string facts = serialize(storage::inspect_part(file, name));
                const std::size_t size = facts.size();
                all.append(reinterpret_cast<const char*>(&size), sizeof size).append(facts);
              }
            return all;
          }};
}

void add_parts(const std::string& bytes, std::vector<DatasetFacts>& parts) {
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t size = 0;
    std::memcpy(&size, bytes.data() + at, sizeof size);
    parts.push_back(facts_from(bytes.substr(at + sizeof size, size)));
    at += sizeof size + size;
  }
}

/// Adds the datasets found by one child. If the child crashes or exceeds a limit, each file is
/// inspected again in a separate child, because it is not known which file was the cause.
void add_parts(storage::Child& child, const Names& files, const std::string& dataset,
               std::vector<DatasetFacts>& parts) {
  std::string answer;
  try {
    answer = child.answer();
  } catch (const StorageError&) {
    for (std::size_t i = 0; i < files.size(); ++i)
      add_parts(look_at(files.subspan(i, 1), dataset).answer(), parts);
    return;
  }
  add_parts(answer, parts);
}

/// Inspects files in several children at the same time, because a network file system has a high
/// latency for each file.
std::vector<DatasetFacts> parts_of(const Names& files, const std::string& dataset) {
  std::deque<std::pair<storage::Child, Names>> looking;
  std::vector<DatasetFacts> parts;
  for (std::size_t next = 0; next < files.size() || !looking.empty();) {
    while (next < files.size() && looking.size() < children_at_a_time) {
      const Names some = files.subspan(next, std::min(files_at_a_time, files.size() - next));
      looking.emplace_back(look_at(some, dataset), some);
      next += some.size();
    }
    add_parts(looking.front().first, looking.front().second, dataset, parts);
    looking.pop_front();
  }
  return parts;
}

storage::FoundRange find_in_child(const DatasetFacts& facts, const CoordinateRange& range,
                                  bool may_be_empty) {
  const std::string bytes =
      storage::run_in_child(storage::qualified_name(facts.file, facts.dataset), [&] {
        prepare_storage_environment();
        const storage::FoundRange found = storage::find_range(facts, range, may_be_empty);
        return std::string(reinterpret_cast<const char*>(&found), sizeof found);
      });
  storage::FoundRange found;
  std::memcpy(&found, bytes.data(), sizeof found);
  return found;
}

/// Returns the selected points of each axis. If a range contains no point, returns std::nullopt if
/// `may_be_empty` is set; otherwise throws an error.
std::optional<std::vector<AxisSelection>> select_axes(const DatasetFacts& facts,
                                                      const Selection& selection,
                                                      bool may_be_empty) {
  std::vector<std::optional<AxisSelection>> found(facts.dims.size());
  for (const auto& item : selection)
    if (const auto* range = std::get_if<CoordinateRange>(&item)) {
      const storage::FoundRange here = find_in_child(facts, *range, may_be_empty);
      if (here.points.count == 0) return std::nullopt;
      auto& axis = found[static_cast<std::size_t>(here.axis)];
      if (axis)
        throw WordsError(fmt::format("input.select: two items are given for axis {}", here.axis));
      axis = here.points;
    }
  std::size_t axis = 0;
  for (const auto& item : selection)
    if (const auto* slice = std::get_if<Slice>(&item)) {
      while (axis < found.size() && found[axis]) ++axis;
      if (axis == found.size())
        throw WordsError(fmt::format("input.select has {} items, but {} has {} axes",
                                     selection.size(), one_line(facts.dataset), facts.dims.size()));
      if (may_be_empty && static_cast<int>(axis) == facts.joined_axis && *slice != Slice())
        throw WordsError(fmt::format(
            "input.select: axis {} is split at gaps, where indices mean nothing: select by time, "
            "time LOW .. HIGH",
            axis));
      found[axis] = points_of(*slice, facts.dims[axis]);
    }
  std::vector<AxisSelection> points;
  for (std::size_t i = 0; i < found.size(); ++i)
    points.push_back(found[i].value_or(AxisSelection{0, 1, facts.dims[i]}));
  return points;
}

}  // namespace

std::vector<DatasetFacts> probe_joined(const std::vector<std::string>& files,
                                       const std::string& dataset, const JoinWords& words) {
  // gaps inside a single file are treated like gaps between several files
  const auto is_whole = [&](const DatasetFacts& single) {
    return !words.is_new && (words.gaps == Gaps::refuse || single.holes.empty());
  };
  if (files.size() == 1 && !storage::is_dataset_pattern(dataset))
    if (DatasetFacts single = probe_dataset(files.front(), dataset); is_whole(single))
      return {std::move(single)};
  std::vector<DatasetFacts> parts = parts_of(files, dataset);
  if (parts.size() == 1 && is_whole(parts.front()))
    return {probe_dataset(parts.front().file, parts.front().dataset)};
  std::vector<DatasetFacts> joined = join(std::move(parts), words);
  // checks that the attributes of the first dataset, or of each stacked dataset, can be copied to
  // the output
  for (const DatasetFacts& stretch : joined)
    for (std::size_t i = 0; i < (words.is_new ? stretch.source_datasets.size() : 1); ++i)
      probe_dataset(stretch.source_datasets[i].file, stretch.source_datasets[i].dataset);
  return joined;
}

DatasetFacts probe_dataset(const std::string& file, const std::string& dataset) {
  return facts_from(storage::run_in_child(storage::qualified_name(file, dataset), [&] {
    prepare_storage_environment();
    const DatasetFacts facts = storage::inspect(file, dataset);
    storage::rehearse_carrying(facts);
    return serialize(facts);
  }));
}

void probe_rest(const DatasetFacts& facts) {
  const DatasetFacts& first = facts.described();
  storage::run_in_child(storage::qualified_name(first.file, first.dataset), [&] {
    prepare_storage_environment();
    storage::rehearse_carrying(first, true);
    return std::string();
  });
}

void probe_selection(std::vector<DatasetFacts>& stretches, const Selection& selection) {
  std::vector<DatasetFacts> kept;
  for (DatasetFacts& stretch : stretches)
    if (auto wanted = select_axes(stretch, selection, stretches.size() > 1)) {
      kept.push_back(stretch);
      kept.back().wanted = *std::move(wanted);
    }
  if (kept.empty())
    select_axes(stretches.front(), selection, false);  // throws an error that names the existing
                                                       // coordinates
  stretches = std::move(kept);
}

void probe_coordinates(DatasetFacts& facts) {
  facts = facts_from(storage::run_in_child(storage::qualified_name(facts.file, facts.dataset), [&] {
    prepare_storage_environment();
    DatasetFacts found = facts;
    storage::find_coordinates(found);
    return serialize(found);
  }));
}

std::vector<std::string> probe_sources_beside(const DatasetFacts& facts) {
  try {
    return separate_names(
        storage::run_in_child(storage::qualified_name(facts.file, facts.dataset), [&] {
          prepare_storage_environment();
          return joined_names(storage::sources_beside(facts));
        }));
  } catch (const Error&) {
    return {};
  }
}

SmallArray read_small_array(const std::string& file, const std::string& dataset) {
  const std::string bytes = storage::run_in_child(storage::qualified_name(file, dataset), [&] {
    prepare_storage_environment();
    return read_values(file, dataset);
  });
  const char* at = bytes.data();
  const auto take = [&](auto& numbers) {
    Index size = 0;
    std::memcpy(&size, at, sizeof size);
    numbers.resize(static_cast<std::size_t>(size));
    const std::size_t all = numbers.size() * sizeof(numbers[0]);
    if (all > 0) std::memcpy(numbers.data(), at + sizeof size, all);
    at += sizeof size + all;
  };
  SmallArray array;
  take(array.dims);
  take(array.values);
  take(array.rows);
  std::string sources;
  take(sources);
  array.sources = separate_names(sources);
  take(array.imaginary);
  return array;
}

}  // namespace stencil
