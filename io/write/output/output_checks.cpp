#include "io/write/output/output_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/file_check.hpp"
#include "io/read/files_in_use.hpp"
#include "io/read/same_files.hpp"
#include "io/write/carry/room_of_rest.hpp"
#include "io/write/file_identity.hpp"
#include "io/write/lock/own_mark.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

constexpr Index most_output_chunks = Index{1} << 27;  // records are sent with 32-bit MPI counts

void check_is_safe(const OutputSpec& spec, const OutputPaths& paths, const std::string& other,
                   const char* role) {
  if (other.empty()) return;
  const FileIdentity of_other = identity_of(other);
  for (const std::string& name : {paths.final, paths.part, paths.lock, paths.final + ".xdmf"})
    if (is_same(identity_of(name), of_other))
      throw WordsError(fmt::format("output.file {} would overwrite {} {}: choose another name",
                                   one_line(spec.file), one_line(other), role));
}

void check_others_are_safe(const OutputSpec& spec, const OutputPaths& paths) {
  check_is_safe(spec, paths, spec.input.file, "which is read (input.file)");
  for (const std::string& source : spec.input.sources)
    check_is_safe(spec, paths, source, "which is read (a source of input.file)");
  for (const std::string& file : spec.also_read)
    check_is_safe(spec, paths, file, "which the run uses too");
}

void check_chunk(const OutputSpec& spec) {
  if (spec.gzip_level < 0 || spec.gzip_level > 9)
    throw WordsError(fmt::format("output.compression gzip:{} is not there: use gzip:1 to gzip:9",
                                 spec.gzip_level));
  if (spec.chunk.empty()) {
    if (spec.gzip_level > 0)
      throw WordsError("output.compression needs output.chunk: name a chunk, for example 256x1024");
    return;
  }
  if (spec.chunk.size() != spec.form.dims().size())
    throw WordsError(fmt::format("output.chunk {} has {} axes but the output has {} ({})",
                                 fmt::join(spec.chunk, "x"), spec.chunk.size(),
                                 spec.form.dims().size(), fmt::join(spec.form.dims(), "x")));
  Index bytes = static_cast<Index>(size_of(spec.type));
  for (const Index extent : spec.chunk) {
    if (extent < 1)
      throw WordsError(fmt::format("output.chunk {} has an axis below 1: use positive numbers",
                                   fmt::join(spec.chunk, "x")));
    bytes = checked_multiply(bytes, extent);
  }
  Index chunks = 1;
  for (std::size_t axis = 0; axis < spec.chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (spec.form.dims()[axis] - 1) / spec.chunk[axis] + 1);
  chunks = checked_multiply(chunks, spec.leading_count());
  if (chunks > most_output_chunks)
    throw WordsError(
        fmt::format("output.chunk {} makes {} chunks, and {} are written at most: "
                    "use chunks of about 1 MiB",
                    fmt::join(spec.chunk, "x"), chunks, most_output_chunks));
  if (bytes > largest_chunk)
    throw WordsError(fmt::format(
        "output.chunk {} is {} bytes, above HDF5's limit of {}: use chunks of about 1 MiB",
        fmt::join(spec.chunk, "x"), bytes, largest_chunk));
}

void check_missing_value(const OutputSpec& spec) {
  if (!spec.missing_value) return;
  visit_element(spec.type, [&](auto example) {
    using Element = decltype(example);
    if (!spec.missing_value->holds<Element>())
      throw WordsError(
          fmt::format("the missing value {} is not a number of the type {}: choose one that "
                      "output.dtype can hold, or a "
                      "floating type",
                      to_string(*spec.missing_value), to_string(spec.type)));
  });
}

}  // namespace

void check_folder(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat folder {};
  if (::stat(paths.folder.c_str(), &folder) != 0) {
    const int error = errno;
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: {}", one_line(spec.file),
                                   one_line(paths.folder), std::strerror(error),
                                   error == ENOENT ? "create it first" : remedy_of(error)));
  }
  if (!S_ISDIR(folder.st_mode))
    throw StorageError(fmt::format("cannot write {}: {} is not a folder", one_line(spec.file),
                                   one_line(paths.folder)));
  if (::access(paths.folder.c_str(), W_OK | X_OK) != 0)
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: {}", one_line(spec.file),
                                   one_line(paths.folder), std::strerror(errno), remedy_of(errno)));
  struct stat existing {};
  if (::lstat(paths.final.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    throw StorageError(fmt::format("cannot write {}: it is {}: choose another name",
                                   one_line(spec.file),
                                   S_ISDIR(existing.st_mode)   ? "a folder"
                                   : S_ISLNK(existing.st_mode) ? "a link that leads to itself"
                                                               : "no regular file"));
}

void check_output(const OutputSpec& spec, const OutputPaths& paths) {
  for (const fs::path& name : fs::path(spec.dataset))
    if (name == "." || name == "..")
      throw WordsError(
          fmt::format("output.dataset `{}` has `{}` in it, which HDF5 does not follow: use a path "
                      "such as /group/data",
                      one_line(spec.dataset), name.string()));
  if (split_path(spec.dataset).empty() || spec.dataset.ends_with('/'))
    throw WordsError(fmt::format("output.dataset `{}` names no dataset: use a path such as /data",
                                 one_line(spec.dataset)));
  if (spec.form.dims().empty()) throw WordsError("the output has no axes: nothing to write");
  check_chunk(spec);
  check_missing_value(spec);
  check_folder(spec, paths);
  check_others_are_safe(spec, paths);
}

void check_not_read(const OutputSpec& spec, const OutputPaths& paths) {
  for (const std::string* name : {&paths.final, &paths.part, &paths.lock})
    if (const auto other = file_in_use(*name))
      throw WordsError(
          fmt::format("output.file {} would overwrite {}, which an InputDataset reads: choose "
                      "another name, or end the reading before",
                      one_line(spec.file), one_line(*other)));
}

void check_absent(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat existing {};
  std::vector<std::string> names{""};
  if (spec.snapshots) names.emplace_back(".xdmf");
  for (const std::string& more : names)
    if (!spec.overwrite && ::lstat((paths.final + more).c_str(), &existing) == 0)
      throw StorageError(fmt::format(
          "{}{} exists already: set output.overwrite = true, or choose another output.file",
          one_line(spec.file), more));
  if (spec.snapshots && is_foreign_companion(AT_FDCWD, paths.final + ".xdmf"))
    throw StorageError(fmt::format(
        "{}.xdmf exists, has the name of the companion of this output, and was not written by "
        "this program: remove it, or choose another output.file",
        one_line(spec.file)));
}

void check_free_space(const OutputPaths& paths, Index needed) {
  struct statvfs system {};
  // if the disk is full, the allocation of the file fails later
  if (::statvfs(paths.folder.c_str(), &system) != 0) return;
  double available = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
  constexpr double block = 512;  // unit of st_blocks in bytes
  struct stat left {};
  if (::lstat(paths.part.c_str(), &left) == 0 && S_ISREG(left.st_mode))
    available += block * static_cast<double>(left.st_blocks);
  if (static_cast<double>(needed) > available)
    throw StorageError(
        fmt::format("{} needs {} bytes but only {:.0f} are available in {}: free some, or choose "
                    "another folder",
                    one_line(paths.final), needed, available, one_line(paths.folder)));
}

void check_room(const OutputSpec& spec, const OutputPaths& paths) {
  Index bytes = 0;
  if (spec.gzip_level == 0)
    bytes = checked_multiply(points_of(spec.dims()), static_cast<Index>(size_of(spec.type)));
  if (spec.copies_rest) {
    const Handle file = open_for_reading(spec.input.file);
    const DatasetPath input = open_dataset(file, spec.input.file, spec.input.dataset);
    bytes = checked_add(bytes, room_of_rest(input, spec));
  }
  if (bytes > 0) check_free_space(paths, bytes);
}

}  // namespace stencil::storage
