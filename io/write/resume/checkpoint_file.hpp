#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/lock/output_lock.hpp"
#include "io/write/output/snapshots_done.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Points of a run's input that were not finite numbers.
struct InputCounts {
  Index missing = 0;  ///< by missing.value
  /// Where the run looked at them: passes over the files do not.
  std::optional<Index> nans{}, infinities{};
};

/// The step lines that a run has written beside its report.
struct LinesSaved {
  Index bytes = 0;
  std::uint64_t checksum = 0;  ///< of all of them
};

/// The contents of a checkpoint other than the points.
struct CheckpointRecord {
  /// The settings that decide the numbers of the run, one `name=value` per line: a checkpoint with
  /// other settings belongs to another run.
  std::string words;
  Index steps_done = 0;  ///< of all stages
  InputCounts input{};
  std::optional<SnapshotsSaved> snapshots{};  ///< of a run that writes some
  std::optional<LinesSaved> lines{};          ///< of a run that writes some
};

/// A checkpoint on the disk: a finished output with the points of the world after some steps.
struct Checkpoint {
  DatasetFacts points;
  CheckpointRecord record;
  std::vector<std::uint64_t> checksums;  ///< see storage::BlockChecksums
  std::uint64_t seal = 0;                ///< checksum of all its other bytes, see storage::FileSeal
};

/// Specification of a checkpoint, to be written as CheckpointFiles::next_name().
///
/// @param shape  the shape of the points, {batch, y, x}
/// @param type   float32 or float64: the type computed in
OutputSpec checkpoint_spec(const std::string& file, const Point& shape, ElementType type,
                           const CheckpointRecord& record);

/// For OutputFile::set_at_commit(): points that were missing in the input, if that is known only
/// when the checkpoint is written.
std::map<std::string, std::string> missing_points_at_commit(Index missing_in);

/// Reads what a checkpoint says, but not its points. @throws StorageError  damaged, or none
Checkpoint read_checkpoint(const std::string& file);

/// Compares the points of a checkpoint with its checksums; each rank takes its share.
/// @throws StorageError  on this rank alone: the points are damaged
void check_points(const Checkpoint& checkpoint, int rank, int ranks);

/// The newest sound checkpoint of FILE. The newest one is FILE, or FILE.next if a run was killed
/// between writing and renaming it; the one before it is FILE.previous. Changes no file.
/// Collective.
///
/// @param passed_over  on rank 0: why newer ones could not be used
/// @returns nothing if there is none
/// @throws StorageError  on every rank: checkpoint files exist, and all of them are damaged
std::optional<Checkpoint> find_checkpoint(const Communicator& communicator, const std::string& file,
                                          std::vector<std::string>& passed_over);

/// A message about an output, reworded for a checkpoint.
std::string checkpoint_words(const std::string& message);

/// What happens to the earlier checkpoints when a new one gets its name. kept: FILE replaces
/// FILE.previous. removed: both are removed, because they belong to another run. passed_over: FILE
/// is not sound and is removed, and FILE.previous stays.
enum class Former { kept, removed, passed_over };

/// What happens to the earlier checkpoints of a run.
/// @param resumed_from  the checkpoint from which the run continues; empty: it started from the
///                      beginning
Former former_of(const std::string& file, const std::string& resumed_from);

/// The right to write the checkpoints of a file, held during a run by FILE.lock.
class CheckpointFiles {
 public:
  /// Takes the lock, and removes unfinished files of a killed run. Collective.
  /// @throws StorageError  on all ranks: another run holds it, or the folder is not writable
  CheckpointFiles(const Communicator& communicator, const std::string& file);
  /// Gives the lock back.
  ~CheckpointFiles();
  CheckpointFiles(const CheckpointFiles&) = delete;
  CheckpointFiles& operator=(const CheckpointFiles&) = delete;

  const std::string& file() const { return file_; }
  /// Name under which the next checkpoint is written, verified and flushed to the disk.
  std::string next_name() const { return file_ + ".next"; }
  /// Name of the record of the finished snapshots, for a run that writes snapshots; all checkpoints
  /// of the run use it.
  std::string snapshots_name() const { return file_ + ".snapshots"; }
  /// To be called before a checkpoint is written, and after one could not be written. Collective.
  /// @throws StorageError  on all ranks: another run has taken the lock of these checkpoints
  void require_ownership() const;
  /// Gives the checkpoint that was written last its name; at every moment a sound checkpoint
  /// exists. Collective.
  ///
  /// @throws StorageError  on all ranks
  void give_name(Former former);
  /// Removes all checkpoints, because the run is complete. On rank 0; does not throw. Checkpoints
  /// of another run that has taken the lock stay. @returns whether nothing of this run remains
  bool remove() const;

 private:
  void take_lock();
  bool clear_aborted();

  const Communicator& communicator_;
  const std::string file_;  ///< symbolic links resolved
  storage::Descriptor folder_;
  storage::OutputLock lock_;                  ///< on rank 0
  std::atomic<std::uint64_t> lock_inode_{0};  ///< on the other ranks
  std::optional<AbortCleanup> cleanup_;
};

}  // namespace stencil
