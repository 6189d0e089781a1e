#include "io/write/resume/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/crash_guard.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/file_check.hpp"
#include "io/read/inspect.hpp"
#include "io/read/same_files.hpp"
#include "io/write/blocks/block_checksums.hpp"
#include "io/write/blocks/file_seal.hpp"
#include "io/write/blocks/readback.hpp"
#include "io/write/lock/lock_owner.hpp"
#include "io/write/lock/nameplate.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/output/output_checks.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/resume/checkpoint_names.hpp"
#include "io/write/write_errors.hpp"

namespace stencil {

using namespace storage;

namespace {

constexpr const char* dataset_name = "/points";
constexpr const char* words_attribute = "stencil_run";
constexpr const char* steps_attribute = "stencil_steps_done";
constexpr const char* snapshots_attribute = "stencil_snapshots";
constexpr const char* lines_attribute = "stencil_step_lines";
constexpr const char* missing_attribute = "stencil_missing_points";
constexpr const char* nans_attribute = "stencil_nan_points";
constexpr const char* infinities_attribute = "stencil_infinite_points";

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw StorageError(fmt::format("{} {}", one_line(file), why));
}

Index number_in(hid_t dataset, const char* name, const std::string& file) {
  const std::string text = attribute_text(dataset, name);
  Index value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value < 0) refuse(file, "is not a checkpoint of this program");
  return value;
}

constexpr const char* unknown = "unknown";

std::string text_of(const std::optional<Index>& number) {
  return number ? std::to_string(*number) : unknown;
}

std::optional<Index> known_number_in(hid_t dataset, const char* name, const std::string& file) {
  if (attribute_text(dataset, name) == unknown) return std::nullopt;
  return number_in(dataset, name, file);
}

std::string text_of(const LinesSaved& lines) {
  return fmt::format("{} {:016x}", lines.bytes, lines.checksum);
}

std::optional<LinesSaved> lines_saved_from(const std::string& text) {
  std::istringstream words(text);
  LinesSaved lines;
  words >> lines.bytes >> std::hex >> lines.checksum;
  if (!words || lines.bytes < 0) return std::nullopt;
  return lines;
}

BlockGrid grid_of(const Checkpoint& checkpoint) {
  return {checkpoint.points.dims, {}, static_cast<Index>(size_of(checkpoint.points.type))};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

bool is_there(const std::string& file) {
  struct stat state {};
  return ::lstat(file.c_str(), &state) == 0;
}

/// Reads and checks one checkpoint. Collective. @returns on every rank the reason why the
/// checkpoint cannot be used; empty if it is valid
std::string try_one(const Communicator& communicator, const std::string& file,
                    Checkpoint& checkpoint) {
  try {
    const CrashGuard guard(crash_words(one_line(file), "while the checkpoint was read"));
    communicator.agree([&] { checkpoint = read_checkpoint(file); });
    // if one node had an older copy of the checkpoint, ranks would begin at different steps
    require_same_numbers(communicator, {checkpoint.seal}, [&](std::size_t) { return file; });
    communicator.agree([&] { check_points(checkpoint, communicator.rank(), communicator.size()); });
    return {};
  } catch (const Error& error) {  // the error is thrown on all ranks
    if (error.status() != Status::storage && error.status() != Status::words) throw;
    return error.what();
  }
}

}  // namespace

OutputSpec checkpoint_spec(const std::string& file, const Point& shape, ElementType type,
                           const CheckpointRecord& record) {
  OutputSpec spec;
  spec.file = file;
  spec.dataset = dataset_name;
  spec.form = NormalForm({shape[0], shape[1], shape[2]}, {0, 1, 2});
  spec.type = type;
  spec.overwrite = true;
  spec.is_sealed = true;
  spec.provenance = {{words_attribute, record.words},
                     {steps_attribute, std::to_string(record.steps_done)},
                     {missing_attribute, std::to_string(record.input.missing)},
                     {nans_attribute, text_of(record.input.nans)},
                     {infinities_attribute, text_of(record.input.infinities)}};
  if (record.snapshots) spec.provenance[snapshots_attribute] = text_of(*record.snapshots);
  if (record.lines) spec.provenance[lines_attribute] = text_of(*record.lines);
  return spec;
}

std::map<std::string, std::string> missing_points_at_commit(Index missing_in) {
  return {{missing_attribute, std::to_string(missing_in)}};
}

Checkpoint read_checkpoint(const std::string& file) {
  Checkpoint checkpoint;
  const FileSeal seal = checked_seal(file);  // a damaged file is detected before HDF5 reads it
  checkpoint.seal = seal.checksum;
  checkpoint.points = inspect(file, dataset_name);
  const Handle opened = open_for_reading(file);
  const Handle root =
      owned(H5Gopen2(opened, "/", H5P_DEFAULT), H5Gclose, "cannot read " + one_line(file));
  CheckpointRecord& record = checkpoint.record;
  record.words = attribute_text(root, words_attribute);
  record.steps_done = number_in(root, steps_attribute, file);
  record.input = {number_in(root, missing_attribute, file),
                  known_number_in(root, nans_attribute, file),
                  known_number_in(root, infinities_attribute, file)};
  record.snapshots = snapshots_saved_from(attribute_text(root, snapshots_attribute));
  record.lines = lines_saved_from(attribute_text(root, lines_attribute));
  for (const ElementValue& value : attribute_values(root, "stencil_checksums"))
    checkpoint.checksums.push_back(value.as<std::uint64_t>());
  const auto complete = attribute_number(root, "stencil_complete");
  if (record.words.empty() || !complete || *complete != 1 ||
      checkpoint.points.data_offset != seal.points.first || checkpoint.points.dims.size() != axes ||
      checkpoint.checksums.size() != empty_checksums(grid_of(checkpoint)).values.size())
    refuse(file, "is not a checkpoint of this program");
  return checkpoint;
}

void check_points(const Checkpoint& checkpoint, int rank, int ranks) {
  const BlockGrid grid = grid_of(checkpoint);
  const Index each = empty_checksums(grid).blocks_each;
  const Descriptor file(::open(checkpoint.points.file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    refuse(checkpoint.points.file,
           fmt::format("cannot be opened: {}: {}", std::strerror(errno), remedy_of(errno)));
  const std::unique_ptr<std::byte[]> memory(
      new std::byte[static_cast<std::size_t>(grid.most_bytes())]);
  for (std::size_t i = static_cast<std::size_t>(rank); i < checkpoint.checksums.size();
       i += static_cast<std::size_t>(ranks)) {
    std::vector<std::uint64_t> sums;
    const Index first = static_cast<Index>(i) * each;
    for (Index block = first; block < std::min(grid.size(), first + each); ++block) {
      const Index bytes = grid.points_in(block).points() * grid.element_bytes();
      const int error = read_exactly(file.number(), memory.get(), bytes,
                                     checkpoint.points.data_offset + grid.offset(block));
      if (error != 0) throw_unreadable(one_line(checkpoint.points.file), error);
      sums.push_back(checksum_of(memory.get(), static_cast<std::size_t>(bytes)));
    }
    if (checksum_of(sums.data(), sums.size() * sizeof(sums[0])) != checkpoint.checksums[i])
      refuse(checkpoint.points.file,
             "holds points that differ from those that were written: it is damaged");
  }
}

std::optional<Checkpoint> find_checkpoint(const Communicator& communicator, const std::string& file,
                                          std::vector<std::string>& passed_over) {
  std::vector<std::string> whys;
  for (const char* of : {".next", "", ".previous"}) {
    std::string name = OutputPaths::of(file).final + of;
    if (communicator.maximum(Index{communicator.rank() == 0 && is_there(name)}) == 0) continue;
    communicator.broadcast(name, 0);
    Checkpoint checkpoint;
    const std::string why = try_one(communicator, name, checkpoint);
    if (why.empty()) {
      passed_over = whys;
      return checkpoint;
    }
    whys.push_back(why);
  }
  if (whys.empty()) return std::nullopt;
  // agree() throws the error on all ranks
  communicator.agree([&] {
    throw StorageError(fmt::format(
        "{}: remove it to start from the beginning, or name another run.checkpoint", whys.front()));
  });
  return std::nullopt;
}

CheckpointFiles::CheckpointFiles(const Communicator& communicator, const std::string& file)
    : communicator_(communicator), file_(OutputPaths::of(file).final) {
  cleanup_.emplace([this] { return clear_aborted(); });
  communicator.agree([&] {
    try {
      const OutputPaths paths = OutputPaths::of(file_);
      OutputSpec spec;
      spec.file = file_;
      if (communicator.rank() == 0) check_folder(spec, paths);
      folder_ = open_folder(paths);
      if (communicator.rank() == 0) take_lock();
    } catch (const StorageError& error) {  // the message describes the checkpoint as an output
      throw StorageError(checkpoint_words(error.what()));
    }
  });
  struct stat state {};
  const std::string name = OutputPaths::of(file_).lock_name();
  const bool is_known = communicator.rank() == 0 &&
                        ::fstatat(folder_.number(), name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0;
  lock_inode_ = static_cast<std::uint64_t>(
      communicator.maximum(static_cast<Index>(is_known ? state.st_ino : 0)));
}

void CheckpointFiles::take_lock() {
  const OutputPaths paths = OutputPaths::of(file_);
  require_short_name(file_);
  require_own_checkpoint_files(file_);
  lock_.take(folder_.number(), paths.lock_name(), paths.lock);
  remove_left_checkpoint_files(file_);
  if (lock_.was_left()) remove_left_lock(folder_.number(), paths.final_name() + ".next.lock");
  remove_dead_plates(folder_.number(), paths.final_name() + ".next.lock", this_process());
}

CheckpointFiles::~CheckpointFiles() {
  cleanup_.reset();
  lock_.release();
}

std::string checkpoint_words(const std::string& message) {
  std::string text = message;
  for (const auto& [from, to] : {std::pair("output.file", "run.checkpoint"),
                                 std::pair("writing this output", "writing this checkpoint"),
                                 std::pair("of this output", "of this checkpoint"),
                                 std::pair("folder of the output", "folder of the checkpoint")})
    text = replaced(text, from, to);
  return text;
}

Former former_of(const std::string& file, const std::string& resumed_from) {
  if (resumed_from.empty()) return Former::removed;
  return resumed_from.ends_with(".previous") && resumed_from != file ? Former::passed_over
                                                                     : Former::kept;
}

void CheckpointFiles::require_ownership() const {
  communicator_.agree([&] {
    const std::string words = communicator_.rank() == 0 ? lock_.loss() : "";
    if (!words.empty()) throw StorageError(checkpoint_words(words));
  });
}

void CheckpointFiles::give_name(Former former) {
  require_ownership();
  communicator_.agree([&] {
    if (communicator_.rank() != 0 || !is_there(next_name())) return;
    const auto rename = [](const std::string& from, const std::string& to) {
      if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT)
        throw StorageError(fmt::format("cannot rename {} to {}: {}: {}", one_line(from),
                                       one_line(to), std::strerror(errno), remedy_of(errno)));
    };
    if (former == Former::kept)
      rename(file_, file_ + ".previous");
    else if (former == Former::removed)
      ::unlink((file_ + ".previous").c_str());
    rename(next_name(), file_);
    bring_names_to_disk(folder_.number(), file_);
  });
}

bool CheckpointFiles::remove() const {
  if (!lock_.loss().empty()) return true;
  bool is_gone = true;
  for (const char* of : {".next", "", ".previous", ".windows", ".snapshots"}) {
    const std::string name = file_ + of;
    is_gone &= ::unlink(name.c_str()) == 0 || errno == ENOENT;
  }
  return is_gone;
}

bool CheckpointFiles::clear_aborted() {
  if (communicator_.rank() == 0) return lock_.release();
  const std::string name = OutputPaths::of(file_).lock_name();
  struct stat state {};
  return lock_inode_ != 0 &&
         ::fstatat(folder_.number(), name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0 &&
         state.st_ino == lock_inode_ && ::unlinkat(folder_.number(), name.c_str(), 0) == 0;
}

}  // namespace stencil
