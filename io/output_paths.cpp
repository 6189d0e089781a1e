#include "io/output_paths.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/object_path.hpp"
#include "io/pieces.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Whether two names mean one file, also where it does not exist yet.
bool is_same_name(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::path one = fs::weakly_canonical(fs::absolute(a), error);
  return !error && one == fs::weakly_canonical(fs::absolute(b), error) && !error;
}

void check_is_safe(const OutputSpec& spec, const OutputPaths& paths, const std::string& other,
                   const char* role) {
  if (other.empty()) return;
  for (const std::string* name : {&paths.final, &paths.part, &paths.lock})
    if (is_same_file(*name, other) || is_same_name(*name, other))
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
  if (bytes > largest_chunk)
    throw WordsError(fmt::format(
        "output.chunk {} is {} bytes, above HDF5's limit of {}: chunks of about 1 MiB serve best",
        fmt::join(spec.chunk, "x"), bytes, largest_chunk));
}

void check_missing_value(const OutputSpec& spec) {
  if (!spec.missing_value) return;
  visit_element(spec.type, [&](auto example) {
    using Element = decltype(example);
    if (!spec.missing_value->holds<Element>())
      throw WordsError(
          fmt::format("the missing value {} is no {}: choose one that output.dtype can hold, or a "
                      "floating type",
                      to_string(*spec.missing_value), to_string(spec.type)));
  });
}

void check_folder(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat folder {};
  if (::stat(paths.folder.c_str(), &folder) != 0)
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: create it first",
                                   one_line(spec.file), one_line(paths.folder),
                                   std::strerror(errno)));
  if (!S_ISDIR(folder.st_mode))
    throw StorageError(fmt::format("cannot write {}: {} is not a folder", one_line(spec.file),
                                   one_line(paths.folder)));
  if (::access(paths.folder.c_str(), W_OK | X_OK) != 0)
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: choose a writable one",
                                   one_line(spec.file), one_line(paths.folder),
                                   std::strerror(errno)));
  struct stat existing {};
  if (::stat(paths.final.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    throw StorageError(fmt::format("cannot write {}: it is {}: choose another name",
                                   one_line(spec.file),
                                   S_ISDIR(existing.st_mode) ? "a folder" : "no regular file"));
}

}  // namespace

OutputPaths OutputPaths::of(const std::string& file) {
  if (file.empty()) throw WordsError("output.file is empty: name the file to write");
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(file), error);
  if (error) path = fs::absolute(file);
  return {path.string(), path.string() + ".part", path.string() + ".lock",
          path.parent_path().string()};
}

void check_output(const OutputSpec& spec, const OutputPaths& paths) {
  if (split_path(spec.dataset).empty() || spec.dataset.ends_with('/'))
    throw WordsError(fmt::format("output.dataset `{}` names no dataset: use a path such as /data",
                                 one_line(spec.dataset)));
  if (spec.form.dims().empty()) throw WordsError("the output has no axes: nothing to write");
  check_chunk(spec);
  check_missing_value(spec);
  check_folder(spec, paths);
  check_others_are_safe(spec, paths);
}

void check_absent(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat existing {};
  if (!spec.overwrite && ::lstat(paths.final.c_str(), &existing) == 0)
    throw StorageError(
        fmt::format("{} exists already: set output.overwrite = true, or choose another output.file",
                    one_line(spec.file)));
}

void check_free_space(const OutputPaths& paths, Index needed) {
  struct statvfs system {};
  if (::statvfs(paths.folder.c_str(), &system) != 0) return;  // reserving the blocks will tell
  const double available =
      static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
  if (static_cast<double>(needed) > available)
    throw StorageError(
        fmt::format("{} needs {} bytes but only {:.0f} are available in {}: free some, or choose "
                    "another folder",
                    one_line(paths.final), needed, available, one_line(paths.folder)));
}

std::string room_in(const std::string& folder) {
  struct statvfs system {};
  if (::statvfs(folder.c_str(), &system) != 0) return "free some, or choose another folder";
  return fmt::format(
      "{} bytes are available in {}: free some, raise the quota, or choose another "
      "folder",
      static_cast<std::uint64_t>(system.f_bavail) * system.f_frsize, one_line(folder));
}

void reserve_blocks(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  struct stat state {};
  int error = descriptor < 0 || ::fstat(descriptor, &state) != 0 ? errno : 0;
  if (error == 0) do {
      error = ::posix_fallocate(descriptor, 0, state.st_size);
    } while (error == EINTR);
  if (descriptor >= 0) ::close(descriptor);
  if (error == 0) return;
  throw StorageError(fmt::format("cannot reserve {} bytes for {}: {}: {}", state.st_size,
                                 one_line(file), std::strerror(error),
                                 room_in(fs::path(file).parent_path().string())));
}

void bring_to_disk(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  // some file systems cannot sync a folder, and one that may not be listed cannot be opened
  const bool is_unable = error == EINVAL || error == ENOTSUP || error == EACCES;
  if (!synced && !(is_unable && fs::is_directory(path)))
    throw StorageError(fmt::format("cannot bring {} to the disk: {}: its file system failed",
                                   one_line(path), std::strerror(error)));
}

}  // namespace stencil::storage
