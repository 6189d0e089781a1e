#include "io/read/virtual_sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/virtual_mapping.hpp"
#include "io/read/fill_value.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::string file, dataset;
};

/// Indices of the sources in `DatasetFacts::source_datasets`; several mappings may have the same
/// source.
using Inspected = std::map<std::pair<std::string, std::string>, Index>;

template <class Get>
std::string text_of(const std::string& where, Get get) {
  const std::string what = where + ": cannot read the name of a virtual source";
  const ssize_t length = checked(get(nullptr, 0), what);
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  checked(get(text.data(), text.size()), what);
  return text.c_str();
}

/// Returns the file of a source. A relative name is relative to the input's folder, where HDF5
/// searches first.
std::string source_file(const std::string& name, const DatasetFacts& facts) {
  const std::string where = qualified_name(facts.file, facts.dataset);
  if (name == ".") return facts.file;
  if (name.find('%') != std::string::npos)
    throw StorageError(fmt::format(
        "{} is virtual with a pattern of source files ({}), which is not followed: name each file",
        where, one_line(name)));
  std::error_code error;
  const fs::path folder = fs::canonical(fs::path(facts.file), error).parent_path();
  const fs::path source = fs::canonical(folder / name, error);
  const bool is_file = !error && fs::is_regular_file(source, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw StorageError(fmt::format("{} is virtual and its source file {} cannot be looked at: {}",
                                   where, one_line(name), error.message()));
  if (!is_file)
    throw StorageError(fmt::format("{} is virtual and its source file {} is missing: put it in {}",
                                   where, one_line(name), one_line(folder.string())));
  const fs::path inside = source.lexically_relative(folder);
  if (inside.empty() || *inside.begin() == "..")
    throw StorageError(
        fmt::format("{} is virtual and its source file {} lies outside the folder {}, and only "
                    "files in that folder are read: move the source file there",
                    where, one_line(name), one_line(folder.string())));
  return source.string();
}

/// Returns whether a selection lies within the extents of the source and has `wanted` points.
bool fits(hid_t space, const DatasetFacts& source, Index wanted) {
  if (H5Sget_select_type(space) == H5S_SEL_ALL) {  // such a selection has no extents
    Index points = 1;
    for (const Index extent : source.dims) points *= extent;
    return points == wanted;
  }
  std::vector<hsize_t> low(source.dims.size()), high(source.dims.size());
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(source.dims.size()) ||
      H5Sget_select_bounds(space, low.data(), high.data()) < 0)
    return false;
  for (std::size_t axis = 0; axis < high.size(); ++axis)
    if (high[axis] >= static_cast<hsize_t>(source.dims[axis])) return false;
  return H5Sget_select_npoints(space) == wanted;
}

/// Adds a source file with its current size and modification time.
void add_source(DatasetFacts& facts, const std::string& file, Index bytes, Index modified) {
  if (file == facts.file ||
      std::find(facts.sources.begin(), facts.sources.end(), file) != facts.sources.end())
    return;
  facts.sources.push_back(file);
  facts.source_bytes.push_back(bytes);
  facts.source_modified.push_back(modified);
}

/// Returns the index of a source among the sources of the dataset. Inspects the source at its first
/// occurrence.
Index number_of(const Source& source, Inspected& inspected, DatasetFacts& facts,
                const Inspect& inspect) {
  const auto next = static_cast<Index>(facts.source_datasets.size());
  const auto [known, is_new] = inspected.try_emplace({source.file, source.dataset}, next);
  if (is_new) {
    facts.source_datasets.push_back(inspect(source.file, source.dataset));
    facts.unwritten = checked_add(facts.unwritten, facts.source_datasets.back().unwritten);
  }
  return known->second;
}

/// Returns the box that a selection covers; std::nullopt if the selection is not a box.
std::optional<Piece> box_of(hid_t space, const std::vector<Index>& dims) {
  const H5S_sel_type kind = H5Sget_select_type(space);
  if (kind == H5S_SEL_ALL) return Piece{std::vector<Index>(dims.size(), 0), dims};
  std::vector<hsize_t> low(dims.size()), high(dims.size());
  if (kind != H5S_SEL_HYPERSLABS || H5Sget_select_bounds(space, low.data(), high.data()) < 0)
    return std::nullopt;
  Piece box;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    box.start.push_back(static_cast<Index>(low[axis]));
    box.count.push_back(static_cast<Index>(high[axis] - low[axis] + 1));
  }
  if (box.points() != H5Sget_select_npoints(space)) return std::nullopt;
  return box;
}

/// Adds a mapping if it maps a box to a box of the same shape. @returns whether the mapping was
/// added
bool add_mapping(hid_t target, hid_t space, Index number, DatasetFacts& facts) {
  const DatasetFacts& source = facts.source_datasets[static_cast<std::size_t>(number)];
  const auto here = box_of(target, facts.dims), there = box_of(space, source.dims);
  if (!here || !there || source.type != facts.type || source.is_complex() != facts.is_complex() ||
      !is_same_shape(here->count, there->count))
    return false;
  facts.mappings.push_back({number, here->start, here->count, there->start, there->count});
  return true;
}

/// Rejects a mapping that exceeds the extents of its source; records the files of the source and
/// the boxes of the mapping.
/// @returns whether the mapping maps a box to a box
bool check_mapping(hid_t creation, std::size_t index, const Source& source, hid_t target,
                   Inspected& inspected, DatasetFacts& facts, const Inspect& inspect) {
  const std::string where = qualified_name(facts.file, facts.dataset);
  const Index number = number_of(source, inspected, facts, inspect);
  const DatasetFacts& found = facts.source_datasets[static_cast<std::size_t>(number)];
  const Handle space = owned(H5Pget_virtual_srcspace(creation, index), H5Sclose,
                             where + ": cannot read a virtual source");
  if (!fits(space, found, H5Sget_select_npoints(target)))
    throw StorageError(
        fmt::format("{} is virtual and takes points that its source {} does not have", where,
                    qualified_name(source.file, source.dataset)));
  facts.chunk_bytes = std::max(facts.chunk_bytes, found.chunk_bytes);
  add_source(facts, source.file, found.file_bytes, found.modified);
  for (std::size_t i = 0; i < found.sources.size(); ++i)  // a source that is itself virtual
    add_source(facts, found.sources[i], found.source_bytes[i], found.source_modified[i]);
  return add_mapping(target, space, number, facts);
}

/// Adds the points of one mapping to the covered points.
void add(Handle& covered, hid_t target, const std::string& where) {
  const bool is_first = H5Sget_select_npoints(covered) == 0;
  if (is_first || H5Sget_select_type(target) == H5S_SEL_ALL)
    covered = owned(H5Scopy(target), H5Sclose, where);
  else if (H5Sget_select_type(covered) != H5S_SEL_ALL)
    covered = owned(H5Scombine_select(covered, H5S_SELECT_OR, target), H5Sclose, where);
}

/// Adds the points that no source covers as boxes with the fill value. @pre the mappings are
/// disjoint
/// @returns false if too many boxes are needed: HDF5 then reads the dataset
bool map_gaps(DatasetFacts& facts) {
  constexpr std::size_t most = 10000;
  if (facts.filled_points == 0) return true;
  std::vector<Piece> gaps{{std::vector<Index>(facts.dims.size(), 0), facts.dims}};
  for (const VirtualMapping& mapping : facts.mappings) {
    gaps = without(gaps, {mapping.start, mapping.count});
    if (gaps.size() > most) return false;
  }
  for (const Piece& gap : gaps)
    facts.mappings.push_back({in_no_file, gap.start, gap.count, gap.start, gap.count});
  return true;
}

}  // namespace

void check_virtual(hid_t creation, DatasetFacts& facts, const Inspect& inspect) {
  const std::string where = qualified_name(facts.file, facts.dataset);
  std::size_t count = 0;
  checked(H5Pget_virtual_count(creation, &count), where + ": cannot read its sources");
  std::vector<hsize_t> dims(facts.dims.begin(), facts.dims.end());
  Handle covered(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
  H5Sselect_none(covered);
  Inspected inspected;
  bool are_boxes = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Source named{text_of(where,
                               [&](char* text, std::size_t size) {
                                 return H5Pget_virtual_filename(creation, i, text, size);
                               }),
                       text_of(where, [&](char* text, std::size_t size) {
                         return H5Pget_virtual_dsetname(creation, i, text, size);
                       })};
    const Source source{source_file(named.file, facts), named.dataset};
    const Handle target = owned(H5Pget_virtual_vspace(creation, i), H5Sclose,
                                where + ": cannot read a virtual mapping");
    if (H5Sget_select_npoints(target) < 0)  // H5S_UNLIMITED
      throw StorageError(fmt::format(
          "{} is virtual with an unlimited source ({}), which is not followed: map fixed extents",
          where, one_line(named.file)));
    are_boxes &= check_mapping(creation, i, source, target, inspected, facts, inspect);
    add(covered, target, where);
  }
  if (count == 0) throw StorageError(fmt::format("{} is virtual and has no sources", where));
  const Index found = H5Sget_select_npoints(covered);
  facts.filled_points = points_of(facts.dims) - found;
  if (facts.filled_points > 0) facts.fill = fill_value_of(creation, facts);
  if (!are_boxes || !are_disjoint(facts.mappings, found) || !map_gaps(facts))
    facts.mappings.clear();
}

}  // namespace stencil::storage
