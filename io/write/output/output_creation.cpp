#include "io/write/output/output_creation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/chunk_address.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/read/file_check.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/writable_file.hpp"
#include "io/write/carry/adjusted_objects.hpp"
#include "io/write/carry/carried_variables.hpp"
#include "io/write/carry/das_header.hpp"
#include "io/write/carry/filter_axis.hpp"
#include "io/write/carry/left_beside.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/nexus_axes.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/output_groups.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/carry/rest_of_file.hpp"
#include "io/write/carry/shared_metadata.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/carry/stacked_axis.hpp"
#include "io/write/carry/times_beside.hpp"
#include "io/write/carry/user_block.hpp"
#include "io/write/output/snapshot_axis.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {
namespace {

/// Throws if a write to the file has failed.
using RequireWritten = std::function<void()>;

WritableFile create_file(const OutputSpec& spec, int part, const OutputPaths& paths,
                         FileStructure& structure, const std::string& what) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  keep_simple(creation);
  // netCDF requires the order of creation
  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  if (spec.copies_rest && !user_block_of(spec.input.file).empty())
    checked(H5Pset_userblock(creation, user_block_bytes(spec.input.file)), what);
  const Handle access = output_access();
  return WritableFile::create(part, paths.part, structure, creation, access, what);
}

Handle dataset_creation(const OutputSpec& spec, const std::string& what) {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  keep_simple(creation);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  // the size of compressed chunks is known only when they are written
  H5Pset_alloc_time(creation, spec.gzip_level > 0 ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY);
  if (spec.chunk.empty()) {
    H5Pset_layout(creation, H5D_CONTIGUOUS);
    return creation;
  }
  const std::vector<Index> extents = spec.dataset_chunk(), dims = spec.dataset_dims();
  std::vector<hsize_t> chunk;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    chunk.push_back(static_cast<hsize_t>(std::min(extents[axis], dims[axis])));
  checked(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), what);
  if (spec.gzip_level > 0) {
    checked(H5Pset_shuffle(creation), what);
    checked(H5Pset_deflate(creation, static_cast<unsigned>(spec.gzip_level)), what);
  }
  return creation;
}

/// Writes a number as an attribute, which is created if it does not exist.
void write_number(hid_t object, const char* name, hid_t type, Index value,
                  const std::string& what) {
  Handle attribute(H5Aexists(object, name) > 0
                       ? H5Aopen(object, name, H5P_DEFAULT)
                       : H5Acreate2(object, name, type, Handle(H5Screate(H5S_SCALAR), H5Sclose),
                                    H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
  if (!attribute) throw_hdf5(what);
  checked(H5Awrite(attribute, H5T_NATIVE_INT64, &value), what);
}

void write_complete(hid_t root, const OutputSpec& spec, bool is_complete, const std::string& what) {
  write_number(root, "stencil_complete", H5T_STD_I32LE, is_complete ? 1 : 0, what);
  if (spec.steps_done)
    write_number(root, "stencil_steps_done", H5T_STD_I64LE, *spec.steps_done, what);
}

/// Writes attributes for the checksums in advance, so that a full disk cannot prevent them later.
void reserve_checksums(hid_t root, const OutputSpec& spec, const std::string& what) {
  const BlockGrid grid = grid_of(spec);
  const BlockChecksums none = empty_checksums(grid);
  const hsize_t count = none.values.size();
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle attribute =
      owned(H5Acreate2(root, "stencil_checksums", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose, what);
  checked(H5Awrite(attribute, H5T_NATIVE_UINT64, none.values.data()), what);
  write_attribute(root, "stencil_checksums_of", words_of(none, grid));
}

void write_checksums(hid_t root, const BlockChecksums& checksums, const std::string& what) {
  const Handle attribute = owned(H5Aopen(root, "stencil_checksums", H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, H5T_NATIVE_UINT64, checksums.values.data()), what);
}

/// Updates the times. An output that ended early has fewer blocks, and therefore fewer checksums,
/// than were reserved.
void finish_snapshots(hid_t root, hid_t dataset, const OutputSpec& spec,
                      const std::vector<double>& times, const std::string& what) {
  finish_times(dataset, spec, times);
  if (!spec.snapshots->may_end_early) return;
  for (const char* name : {"stencil_checksums", "stencil_checksums_of"})
    checked(H5Adelete(root, name), what);
  reserve_checksums(root, spec, what);
}

/// Copies the rest of the file, or lists the objects next to the dataset that are not copied.
void finish_carrying(const DatasetPath& input, const std::vector<Handle>& groups, hid_t dataset,
                     const OutputSpec& spec, std::vector<CarriedScale> scales, Skipped& skipped,
                     const RequireWritten& require_written) {
  if (spec.copies_rest) {
    const Handle file =
        owned(H5Iget_file_id(dataset), H5Fclose, "cannot copy the rest of the input");
    copy_rest(input, file, spec, scales, skipped, require_written);
  }
  finish_scales(std::move(scales), groups.back(), skipped);
  adjust_nexus_axes(input, groups.back(), spec, skipped);
  drop_absent_variables(dataset, groups.back(), skipped);
  for (const Handle& group : groups) drop_absent_variables(group, groups.back(), skipped);
  adjust_objects(groups, input, spec, skipped);
  if (!spec.copies_rest) tell_left_beside(input, groups, spec, skipped);
}

Skipped write_metadata(const std::vector<Handle>& own_groups, hid_t dataset, const OutputSpec& spec,
                       const RequireWritten& require_written) {
  Skipped skipped;
  std::string earlier;
  if (!spec.input.file.empty()) {
    const Handle file = open_for_reading(spec.input.file);
    const DatasetPath input = open_dataset(file, spec.input.file, spec.input.dataset);
    std::vector<Handle> at_paths;
    if (spec.copies_rest) {
      require_free_name(input, spec);
      at_paths = groups_along(Handle(H5Iget_file_id(dataset), H5Fclose),
                              {input.names.begin(), input.names.end() - 1},
                              "cannot copy the rest of the input");
    }
    const std::vector<Handle>& groups = spec.copies_rest ? at_paths : own_groups;
    if (spec.stacked) make_stacked_scale(input, groups.back(), dataset, spec, skipped);
    // scales are attached before attributes are copied, because attaching a scale searches all
    // attributes of the dataset
    std::vector<CarriedScale> scales = carry_scales(input, groups.back(), dataset, spec, skipped);
    if (!spec.copies_rest) carry_variables(input, groups.back(), spec, scales, skipped);
    carry_times_beside(input, groups.back(), spec, skipped);
    carry_das_header(input, groups, spec, skipped);
    carry_group_attributes(input, groups, spec, skipped);
    carry_dataset_attributes(input, dataset, spec, skipped);
    if (spec.stacked) leave_out_differing(input, groups, dataset, spec, scales, skipped);
    finish_carrying(input, groups, dataset, spec, std::move(scales), skipped, require_written);
    earlier = earlier_history(input);
  }
  write_own_attributes(dataset, spec);
  write_provenance(own_groups.front(), spec, earlier);
  return skipped;
}

/// Creates groups, dataset and attributes in a new file.
Handle fill(hid_t file, const OutputSpec& spec, CreatedOutput& created, const std::string& what,
            const RequireWritten& require_written) {
  const std::vector<std::string> names = split_path(spec.dataset);
  const std::vector<Handle> groups = groups_along(file, {names.begin(), names.end() - 1}, what);
  // the attributes are written before the dataset, because own_mark() searches for these attributes
  // in the first bytes of the file
  write_complete(groups.front(), spec, false, what);
  reserve_checksums(groups.front(), spec, what);
  const std::vector<Index> extents = spec.dataset_dims();
  const std::vector<hsize_t> dims(extents.begin(), extents.end());
  const Handle space =
      owned(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, what);
  const Handle creation = dataset_creation(spec, what);
  const Handle type = spec.is_complex ? complex_output_type(spec.type)
                                      : Handle(H5Tcopy(native_type(spec.type)), H5Tclose);
  Handle dataset = owned(H5Dcreate2(groups.back(), names.back().c_str(), type, space, H5P_DEFAULT,
                                    creation, H5P_DEFAULT),
                         H5Dclose, what);
  if (spec.snapshots) created.times_byte = make_times(groups.back(), dataset, spec);
  if (spec.filters) make_filters(groups.back(), dataset, spec);
  created.skipped = write_metadata(groups, dataset, spec, require_written);
  name_bare_axes(groups.back(), dataset, spec);
  return dataset;
}

/// Returns the file offset of the first point. Checks that uncompressed chunks are contiguous from
/// this offset on; HDF5 places chunks in this way if it allocates all of them at once.
Index first_byte_of(hid_t dataset, const OutputSpec& spec, const std::string& what) {
  if (spec.chunk.empty()) {
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF) throw_hdf5(what);
    return static_cast<Index>(offset);
  }
  const BlockGrid grid = grid_of(spec);
  const auto address_of = [&](Index block) {
    const Piece points = grid.points_in(block);
    const std::vector<hsize_t> first(points.start.begin(), points.start.end());
    const haddr_t address = chunk_address(dataset, first.data(), what);
    return static_cast<Index>(address);
  };
  const Index first = address_of(0), last = address_of(grid.size() - 1);
  if (first < 0 || last != first + grid.offset(grid.size() - 1))
    throw Error(Status::bug, what +
                                 ": a bug in the program, please report it: HDF5 has scattered "
                                 "the chunks");
  return first;
}

/// Returns the specification of a trial output for an input: the same rank, with a sample of the
/// points of each axis.
OutputSpec rehearsal_of(const DatasetFacts& facts) {
  constexpr Index most_coordinates = Index{1} << 16;
  OutputSpec spec;
  spec.file = facts.file;  // the trial output is treated as a file next to the input
  spec.dataset = facts.dataset;
  spec.input = facts;
  spec.packed_attributes = true;
  spec.is_rehearsal = true;
  std::vector<Index> dims;
  for (const Index extent : facts.dims) {
    const Index stride = (extent - 1) / most_coordinates + 1;
    dims.push_back((extent - 1) / stride + 1);
    spec.sampling.push_back({.extent = extent, .stride = stride, .count = dims.back()});
  }
  spec.form = NormalForm(dims, {});
  spec.provenance = {{"history", "rehearsal"}};
  return spec;
}

}  // namespace

CreatedOutput create_output(const OutputSpec& spec, const OutputPaths& paths, int part,
                            FileStructure& structure) {
  const std::string what =
      fmt::format("cannot create {} in {}", one_line(spec.dataset), one_line(paths.part));
  CreatedOutput created;
  const RequireWritten require_written = [&] {
    if (structure.error() != 0) throw StorageError(what);  // with_structure() adds the reason
  };
  with_structure(structure, what, paths.part, [&] {
    WritableFile file = create_file(spec, part, paths, structure, what);
    {
      const Handle dataset = fill(file, spec, created, what, require_written);
      if (spec.gzip_level == 0) created.first_byte = first_byte_of(dataset, spec, what);
    }
    file.close();
    if (spec.copies_rest) write_user_block(spec.input.file, part, paths.part, structure);
  });
  return created;
}

void rehearse_carrying(const DatasetFacts& facts, bool copies_rest) {
  const std::string what =
      "cannot read the attributes of " + qualified_name(facts.file, facts.dataset);
  const Handle access = output_access();
  checked(H5Pset_fapl_core(access, std::size_t{1} << 20, false), what);
  OutputSpec spec = rehearsal_of(facts);
  spec.copies_rest = copies_rest;
  // small chunks, because chunks that are never written take no memory
  spec.chunk.assign(facts.dims.size(), 1);
  spec.gzip_level = 1;
  // HDF5 checks whether a file has this name, and no such file can exist
  const std::string name = facts.file + "/rehearsal";
  const Handle file =
      owned(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, what);
  CreatedOutput created;
  fill(file, spec, created, what, [] {});
}

void mark_complete(const OutputSpec& spec, const OutputPaths& paths, int part,
                   FileStructure& structure, const BlockChecksums& checksums,
                   const std::vector<double>& times) {
  const std::string what = fmt::format("cannot complete {}", one_line(paths.part));
  const Handle access = output_access();
  with_structure(structure, what, paths.part, [&] {
    WritableFile file = WritableFile::open(part, paths.part, structure,
                                           WritableFile::Points::are_structure, access, what);
    {
      const Handle dataset =
          owned(H5Dopen2(file, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose, what);
      const Handle root = owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, what);
      if (spec.snapshots) finish_snapshots(root, dataset, spec, times, what);
      write_checksums(root, checksums, what);
      for (const auto& [name, text] : spec.at_commit) write_attribute(root, name, text);
      write_complete(root, spec, true, what);
    }
    file.close();
  });
}

}  // namespace stencil::storage
