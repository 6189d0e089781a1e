#include "io/write/output/output_state.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "framework/grid/error.hpp"
#include "framework/parallel/crash_guard.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/blocks/packed_output.hpp"
#include "io/write/lock/left_files.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/lock/scratch_file.hpp"
#include "io/write/output/companion.hpp"
#include "io/write/output/created_output.hpp"
#include "io/write/output/output_checks.hpp"
#include "io/write/output/output_creation.hpp"
#include "io/write/output/snapshots_done.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

/// Completes a specification without sampling: one output point for each input point.
void complete_sampling(OutputSpec& spec) {
  if (!spec.input.file.empty() && spec.sampling.empty())
    for (const Index extent : spec.input.dims)
      spec.sampling.push_back({.extent = extent, .count = extent});
  const std::size_t stacked = spec.stacked ? 1 : 0;
  if (spec.input.file.empty() || (spec.sampling.size() + stacked == spec.form_dims().size() &&
                                  spec.sampling.size() == spec.input.dims.size()))
    return;
  throw ShapeError(
      fmt::format("the sampling of {} axes does not fit an output of {} and an input of {}",
                  spec.sampling.size(), spec.form_dims().size(), spec.input.dims.size()));
}

/// Inode number of the file with a name in a folder; 0 if there is no such file.
std::uint64_t number_of(int folder, const std::string& name) {
  struct stat named {};
  const auto look = [&] {
    return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0;
  };
  // a second attempt is made, because a single storage failure must not leave a file
  return look() || look() ? named.st_ino : 0;
}

std::string words_of_lost_file(const std::string& part, bool is_replaced) {
  return fmt::format("{} was {} while this run wrote it: nothing is kept, run it again",
                     one_line(part), is_replaced ? "replaced by another file" : "removed");
}

}  // namespace

void OutputState::make_file() {
  storage::check_output(spec, paths);
  require_not_scratch(spec.file, spec.input.file);
  if (!goes_on) storage::require_own_part(paths);
  {
    const std::lock_guard guard(naming);
    require_not_aborted();
    lock.take(folder.number(), paths.lock_name(), paths.lock);
  }
  if (lock.was_left()) {
    storage::remove_left_fresh_files(folder.number(), lock.left());
    remove_scratch_files(spec.file, lock.left());
    if (!goes_on) storage::remove_left_output(folder.number(), paths.part_name(), lock.left());
  }
  storage::check_absent(spec, paths);
  if (goes_on) return open_unfinished();
  storage::check_room(spec, paths);
  {
    const std::lock_guard guard(naming);
    require_not_aborted();
    file = storage::create_part(folder.number(), paths);
    know_file();
    lock.note_made(file.number(), paths.part);
  }
  const CrashGuard guard([this] { return words_of_crash(); });
  storage::CreatedOutput created = storage::create_output(spec, paths, file.number(), *structure);
  if (spec.gzip_level == 0) storage::reserve_blocks(file.number(), paths.part);
  skipped = std::move(created.skipped);
  first_byte = created.first_byte;
  times_byte = created.times_byte;
}

std::string OutputState::words_of_crash() const {
  if (const int error = structure->error())
    return storage::words_of_unwritable(fmt::format("cannot write {}", one_line(paths.part)), error,
                                        paths.part);
  return storage::crash_words(storage::qualified_name(spec.input.file, spec.input.dataset),
                              "while its metadata were carried over");
}

void OutputState::open_unfinished() {
  if (!is_still_there(*goes_on, spec.file))
    throw StorageError(
        fmt::format("{} is no longer the one that an earlier run has begun: run "
                    "again to start from the beginning",
                    one_line(paths.part)));
  if (spec.snapshots) {
    const CrashGuard guard([this] { return words_of_crash(); });
    storage::CreatedOutput restored =
        storage::restore_snapshots(spec, paths, *goes_on, *structure, lock);
    goes_on->skipped = std::move(restored.skipped);
    goes_on->first_byte = restored.first_byte;
    times_byte = restored.times_byte;
  }
  file = storage::open_part(folder.number(), paths, 0, O_RDWR);
  know_file();
  lock.note_made(file.number(), paths.part);
  skipped = goes_on->skipped;
  first_byte = goes_on->first_byte;
}

void OutputState::adopt_done() {
  const auto rank = static_cast<std::size_t>(communicator.rank());
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const std::vector<storage::Written>& records = goes_on->records;
  // the records that this rank checks or adopts
  for (std::size_t i = rank; i < records.size(); i += ranks)
    if (!spec.snapshots)
      writer->adopt(records[i]);  // will be checked by the commit
    else if (spec.gzip_level > 0)
      writer->adopt_packed(records[i]);  // already copied to the new file
    else
      writer->adopt_verified(records[i]);  // already checked before this run's work
  if (rank == 0) writer->adopt(goes_on->counts);
  times = goes_on->times;
  shown = times.size();
  if (rank == 0 && spec.gzip_level > 0)
    for (const storage::Written& record : records) places.push_back(record.at);
  goes_on->records = {};
}

void OutputState::begin() {
  communicator.agree([&] {
    if (spec.snapshots) planned_snapshots = spec.snapshots->count;
    complete_sampling(spec);
    paths = storage::OutputPaths::of(spec.file);
    storage::check_folder(spec, paths);
    storage::check_not_read(spec, paths);  // checked on every rank
    folder = storage::open_folder(paths);
  });
  cleanup.emplace([this] { return clear_aborted(); });
  try {
    communicator.agree([&] {
      if (communicator.rank() == 0) make_file();
    });
  } catch (...) {
    // the files are removed now, because a job may end without unwinding (OnFailure::ends_job)
    if (lock.is_ours()) remove_file();
    lock.release();
    cleanup.reset();
    throw;
  }
  first_byte = communicator.maximum(first_byte);
  const bool is_owner = communicator.rank() == 0;
  const auto lock_number =
      static_cast<Index>(is_owner ? number_of(folder.number(), paths.lock_name()) : 0);
  lock_inode = static_cast<std::uint64_t>(communicator.maximum(lock_number));
  communicator.agree([&] {
    if (!file) {
      file = storage::open_part(folder.number(), paths, communicator.rank(), O_WRONLY);
      know_file();
    }
    const storage::BlockGrid grid = storage::grid_of(spec);
    writer.emplace(grid, spec.gzip_level, file.number(), folder.number(), first_byte, paths.part);
    uncached.emplace(file.number(), spec.gzip_level == 0);
    if (goes_on) adopt_done();
  });
}

void OutputState::require_writer() const {
  if (!writer)
    throw UsageError(one_line(spec.file) +
                     " is committed already: make another OutputFile to write it again");
}

OutputState::~OutputState() {
  behind.join();
  cleanup.reset();
  if (lock.is_ours()) remove_file();
}

void OutputState::finish_snapshot() {
  communicator.agree([&] { behind.wait(); });
  if (shown == times.size()) return;
  if (spec.gzip_level > 0) {
    communicator.agree([&] {
      if (communicator.rank() == 0) open_target();
    });
    communicator.or_abort([&] {
      storage::write_packed(communicator, target ? &*target : nullptr, paths.part, writer->grid(),
                            writer->packed(), writer->keep_waiting(nullptr));
    });
    if (target) places.insert(places.end(), target->places().begin(), target->places().end());
    target.reset();
    writer->packed_are_in_file();
  }
  communicator.agree([&] {
    if (communicator.rank() != 0) return;
    require_ownership();
    const Index at = times_byte + static_cast<Index>(shown * sizeof(double));
    const auto* const time = reinterpret_cast<const std::byte*>(&times[shown]);
    if (const int error = structure->write(file.number(), time, sizeof(double), at))
      storage::throw_unwritable("cannot write " + one_line(paths.part), error, paths.part);
  });
  ++shown;
}

storage::BlockStream& OutputState::next_stream() {
  if (streams_used == streams.size())
    streams.emplace_back(writer->stream_target(*uncached, nullptr, spec.verify));
  return streams[streams_used++];
}

void OutputState::open_target() {
  storage::with_room(paths.part,
                     [&] { target.emplace(file.number(), paths.part, spec, *structure); });
}

void OutputState::know_file() {
  struct stat state {};
  if (::fstat(file.number(), &state) != 0 && ::fstat(file.number(), &state) != 0)
    throw StorageError(fmt::format("cannot get the status of {}: {}: {}", one_line(paths.part),
                                   std::strerror(errno), storage::remedy_of(errno)));
  inode = state.st_ino;
}

bool OutputState::remove_file() const {
  const std::string name = paths.part_name();
  return !stays && inode != 0 && number_of(folder.number(), name) == inode &&
         ::unlinkat(folder.number(), name.c_str(), 0) == 0;
}

void OutputState::require_ownership() {
  const std::lock_guard guard(naming);
  if (is_aborted) return;  // the thread that ends the job has cleaned up and reports the reason
  if (const std::string words = lock.loss(); !words.empty()) throw StorageError(words);
  struct stat named {};
  const bool is_there =
      ::fstatat(folder.number(), paths.part_name().c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0;
  if (inode == 0 || (!is_there && errno != ENOENT) || (is_there && named.st_ino == inode)) return;
  throw StorageError(words_of_lost_file(paths.part, is_there));
}

void OutputState::require_same_file() const {
  struct stat opened {};
  if (::fstat(file.number(), &opened) == 0 && opened.st_ino != inode)
    throw StorageError(words_of_lost_file(paths.part, true));
}

void OutputState::close() {
  storage::bring_to_disk(file.number(), paths.part);
  // asks the file system to drop its cached pages, so that data are read back from the disk
  if (spec.verify) ::posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
  if (const int error = file.close())
    storage::throw_unwritable("cannot close " + one_line(paths.part), error, paths.part);
}

void OutputState::verify_structure() {
  if (!spec.verify) return;
  std::vector<storage::Written> records;
  communicator.or_abort([&] {
    // rank 1 checks the structure that rank 0 wrote
    records = storage::records_to_check(communicator, structure->records(), true);
  });
  communicator.agree([&] {
    if (records.empty()) return;
    // the file is closed and opened again, because on a network file system other ranks see the
    // data of rank 0 only after that
    file = storage::open_part(folder.number(), paths, communicator.rank(), O_RDONLY);
    ::posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
    storage::check_structure(file.number(), paths.part, records);
  });
}

void OutputState::publish() {
  require_ownership();
  storage::check_absent(spec, paths);
  errno = 0;
  if (!lock.is_ours())
    throw StorageError(
        fmt::format("cannot read {}, which shows whether another run writes this output: {}: "
                    "nothing is kept, start the run again",
                    one_line(paths.lock), errno != 0 ? std::strerror(errno) : "it is a copy"));
  storage::keep_access(file.number(), folder.number(), paths);
  storage::remove_companion(folder.number(), paths);
  storage::Companion companion;
  std::string trouble = companion.make(spec, paths, times, lock);
  {
    const std::lock_guard guard(naming);
    require_not_aborted();
    if (::renameat(folder.number(), paths.part_name().c_str(), folder.number(),
                   paths.final_name().c_str()) != 0)
      throw StorageError(fmt::format("cannot rename {} to {}: {}: {}", one_line(paths.part),
                                     one_line(paths.final), std::strerror(errno),
                                     storage::remedy_of(errno)));
    inode = 0;  // from now on, the cleanup must not remove the file
    // the XDMF file is renamed before the lock is released, because afterwards another run may use
    // its name
    if (trouble.empty()) trouble = companion.publish(paths);
  }
  cleanup.reset();
  lock.release();
  storage::bring_names_to_disk(folder.number(), paths.final);
  if (!trouble.empty())
    throw StorageError(
        fmt::format("{} is complete, but {}.xdmf, which shows it to ParaView, cannot be "
                    "written: {}",
                    one_line(paths.final), one_line(paths.final), trouble));
}

void OutputState::require_not_aborted() const {
  if (is_aborted)
    throw StorageError(
        fmt::format("{} is not written: the job is being ended", one_line(paths.part)));
}

bool OutputState::clear_aborted() {
  const std::lock_guard guard(naming);
  is_aborted = true;
  // Several ranks may see the same failure: the rank that removes the lock prints the message.
  remove_file();
  if (communicator.rank() == 0) return lock.release();
  const std::string name = paths.lock_name();
  return lock_inode != 0 && number_of(folder.number(), name) == lock_inode &&
         ::unlinkat(folder.number(), name.c_str(), 0) == 0;
}

}  // namespace stencil::storage
