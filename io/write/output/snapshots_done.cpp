#include "io/write/output/snapshots_done.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/abort.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/blocks/ordered_chunks.hpp"
#include "io/write/lock/scratch_file.hpp"
#include "io/write/output/output_creation.hpp"
#include "io/write/write_errors.hpp"

namespace stencil {
namespace {

using namespace storage;

Index blocks_of_each(const OutputSpec& spec) {
  return grid_of(spec).size() / spec.snapshots->count;
}

}  // namespace

std::string text_of(const SnapshotsSaved& saved) {
  return fmt::format("{} {} {} {} {:016x}", saved.count, saved.counts.saturated,
                     saved.counts.missing, saved.counts.vanished, saved.checksum);
}

std::optional<SnapshotsSaved> snapshots_saved_from(const std::string& text) {
  std::istringstream words(text);
  SnapshotsSaved saved;
  words >> saved.count >> saved.counts.saturated >> saved.counts.missing >> saved.counts.vanished >>
      std::hex >> saved.checksum;
  if (!words || saved.count < 1) return std::nullopt;
  return saved;
}

std::uint64_t checksum_of_snapshots(const UnfinishedOutput& unfinished) {
  const auto sum = [](const auto& list) {
    return checksum_of(list.data(), list.size() * sizeof(list[0]));
  };
  const std::uint64_t sums[] = {sum(unfinished.times), sum(unfinished.records)};
  return checksum_of(sums, sizeof sums);
}

std::optional<UnfinishedOutput> first_snapshots(const UnfinishedOutput& unfinished, Index count,
                                                const OutputSpec& spec) {
  const Index blocks = count * blocks_of_each(spec);
  if (count > std::ssize(unfinished.times) || count > spec.snapshots->count ||
      blocks > std::ssize(unfinished.records))
    return std::nullopt;
  UnfinishedOutput first = unfinished;
  first.times.resize(static_cast<std::size_t>(count));
  first.records.resize(static_cast<std::size_t>(blocks));
  for (Index block = 0; block < blocks; ++block)
    if (first.records[static_cast<std::size_t>(block)].block != block) return std::nullopt;
  return first;
}

namespace storage {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& file, int error) {
  throw_unwritable(fmt::format("cannot {} {}", what, one_line(file)), error, file);
}

/// Copies a range of bytes from the scratch file to the same position in the file.
void copy_bytes(int from, int to, Interval bytes, const std::string& name) {
  constexpr Index most = Index{1} << 20;
  std::vector<std::byte> piece(
      static_cast<std::size_t>(std::min(most, std::max<Index>(0, bytes.extent()))));
  for (Index at = bytes.first; at < bytes.last; at += most) {
    const Index n = std::min(most, bytes.last - at);
    if (const int error = read_exactly(from, piece.data(), n, at)) throw_unreadable(name, error);
    if (const int error = write_exactly(to, piece.data(), n, at)) refuse("write", name, error);
  }
}

void write_times(int file, Index at, const std::vector<double>& times, FileStructure& structure,
                 const std::string& name) {
  if (const int error = structure.write(file, reinterpret_cast<const std::byte*>(times.data()),
                                        std::ssize(times) * Index{sizeof(double)}, at))
    refuse("write", name, error);
}

/// Restores everything except the points, which are kept.
void restore_around_points(int scratch, const CreatedOutput& created, const OutputSpec& spec,
                           const OutputPaths& paths) {
  Descriptor part(::open(paths.part.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat state {};
  if (!part || ::fstat(scratch, &state) != 0) refuse("open", paths.part, errno);
  const Interval points = bytes_of_points(grid_of(spec), created.first_byte);
  if (::ftruncate(part.number(), state.st_size) != 0) refuse("shorten", paths.part, errno);
  reserve_blocks(part.number(), paths.part);
  copy_bytes(scratch, part.number(), {0, points.first}, paths.part);
  copy_bytes(scratch, part.number(), {points.last, state.st_size}, paths.part);
  if (const int error = part.close()) refuse("close", paths.part, error);
}

/// Copies the chunks in their original order. The file is closed and opened again after each
/// snapshot, as in the first run, so that the bytes of the file are the same as after the first
/// run.
void copy_chunks(int scratch, const OutputSpec& spec, const OutputPaths& paths,
                 const UnfinishedOutput& unfinished, FileStructure& structure) {
  const Descriptor part(::open(paths.part.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!part) refuse("open", paths.part, errno);
  const std::string where = qualified_name(paths.part, spec.dataset);
  const BlockGrid grid = grid_of(spec);
  std::vector<std::byte> chunk;
  auto record = unfinished.records.begin();
  for (std::size_t n = 0; n < unfinished.times.size(); ++n) {
    PackedTarget target(scratch, paths.part, spec, structure);
    for (Index i = 0; i < blocks_of_each(spec); ++i, ++record) {
      chunk.resize(static_cast<std::size_t>(record->bytes));
      if (const int error = read_exactly(part.number(), chunk.data(), record->bytes, record->at))
        throw_unreadable(where, error);
      check_block(*record, chunk.data(), grid, where);
      target.write(record->block, chunk);
    }
    target.close();
  }
}

/// Replaces the file by the scratch file. Readers that have the old file open can continue to read
/// it.
void take_place(int scratch, const std::string& name, const OutputPaths& paths) {
  struct stat old {};
  if (::lstat(paths.part.c_str(), &old) == 0) ::fchmod(scratch, old.st_mode & 0777);
  bring_to_disk(scratch, name);
  if (::rename(name.c_str(), paths.part.c_str()) != 0) refuse("rename", name, errno);
}

}  // namespace

CreatedOutput restore_snapshots(const OutputSpec& spec, const OutputPaths& paths,
                                const UnfinishedOutput& unfinished, FileStructure& structure,
                                OutputLock& lock) {
  const std::string name = scratch_name(spec.file, 0);
  const auto remove = [name] {
    ::unlink(name.c_str());
    return false;  // this rank need not print: the cleanup of the output decides which rank does
  };
  const AbortCleanup cleanup(remove);
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  Descriptor scratch(::open(name.c_str(), flags, 0600));
  if (!scratch && errno == EEXIST) refuse_scratch(name);
  if (!scratch) refuse("create", name, errno);
  try {
    lock.note_made(scratch.number(), name);
    CreatedOutput created;
    with_room(paths.part, [&] {
      created = create_output(spec, paths, scratch.number(), structure);
      if (spec.gzip_level > 0) copy_chunks(scratch.number(), spec, paths, unfinished, structure);
    });
    write_times(scratch.number(), created.times_byte, unfinished.times, structure, name);
    if (spec.gzip_level > 0)
      take_place(scratch.number(), name, paths);
    else
      restore_around_points(scratch.number(), created, spec, paths);
    if (const int error = scratch.close()) refuse("close", name, error);
    remove();
    return created;
  } catch (...) {
    remove();
    throw;
  }
}

}  // namespace storage
}  // namespace stencil
