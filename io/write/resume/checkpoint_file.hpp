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

/// Numbers of points of a run's input that were not valid or not finite.
struct InputCounts {
  Index missing = 0;  ///< missing according to missing.value
  /// Set if the run checked for NaN and infinity; runs in several passes over files do not check.
  std::optional<Index> nans{}, infinities{};
};

/// The lines about steps that a run has written to a file next to its report.
struct LinesSaved {
  Index bytes = 0;
  std::uint64_t checksum = 0;  ///< checksum of all these lines
};

/// The contents of a checkpoint other than the points.
struct CheckpointRecord {
  /// The settings that determine the numbers of the run, one `name=value` per line. A checkpoint
  /// with other settings belongs to another run.
  std::string words;
  Index steps_done = 0;  ///< number of steps of all stages together
  InputCounts input{};
  std::optional<SnapshotsSaved> snapshots{};  ///< set if the run writes snapshots
  std::optional<LinesSaved> lines{};          ///< set if the run writes lines about steps
};

/// A checkpoint on the disk: a finished output that contains the points of the world after some
/// steps.
struct Checkpoint {
  DatasetFacts points;
  CheckpointRecord record;
  std::vector<std::uint64_t> checksums;  ///< see storage::BlockChecksums
  std::uint64_t seal = 0;                ///< checksum of all other bytes, see storage::FileSeal
};

/// Specification of a checkpoint. The file has the name CheckpointFiles::next_name() while the
/// checkpoint is written.
///
/// @param shape  shape of the points, {batch, y, x}
/// @param type   float32 or float64: the type in which the run computes
OutputSpec checkpoint_spec(const std::string& file, const Point& shape, ElementType type,
                           const CheckpointRecord& record);

/// Attributes for OutputFile::set_at_commit(): the number of points that were missing in the input,
/// if this number is known only when the checkpoint is written.
std::map<std::string, std::string> missing_points_at_commit(Index missing_in);

/// Reads a checkpoint without its points. @throws StorageError the file is damaged, or is not a
/// checkpoint
Checkpoint read_checkpoint(const std::string& file);

/// Compares the points of a checkpoint with its checksums; each rank checks its share.
/// @throws StorageError  on this rank alone: the points are damaged
void check_points(const Checkpoint& checkpoint, int rank, int ranks);

/// Finds the newest valid checkpoint of FILE. The newest checkpoint is FILE, or FILE.next if a run
/// was killed after it wrote this file and before it renamed the file. The previous checkpoint is
/// FILE.previous. Changes no file. Collective.
///
/// @param passed_over  on rank 0: reasons why newer checkpoints could not be used
/// @returns std::nullopt if there is no checkpoint
/// @throws StorageError  on every rank: checkpoint files exist, and all of them are damaged
std::optional<Checkpoint> find_checkpoint(const Communicator& communicator, const std::string& file,
                                          std::vector<std::string>& passed_over);

/// Converts a message about an output to a message about a checkpoint.
std::string checkpoint_words(const std::string& message);

/// Treatment of the earlier checkpoints when a new checkpoint gets its final name. `kept`: FILE
/// replaces FILE.previous. `removed`: both are removed, because they belong to another run.
/// `passed_over`: FILE is damaged and is removed, and FILE.previous is kept.
enum class Former { kept, removed, passed_over };

/// Determines the treatment of the earlier checkpoints of a run.
/// @param resumed_from  path of the checkpoint from which the run continues, or an empty string if
///                      the run started from the beginning
Former former_of(const std::string& file, const std::string& resumed_from);

/// The right to write the checkpoints of a file, held during a run by FILE.lock.
class CheckpointFiles {
 public:
  /// Takes the lock, and removes unfinished files of a killed run. Collective.
  /// @throws StorageError  on all ranks: another run holds the lock, or the folder is not writable
  CheckpointFiles(const Communicator& communicator, const std::string& file);
  /// Releases the lock.
  ~CheckpointFiles();
  CheckpointFiles(const CheckpointFiles&) = delete;
  CheckpointFiles& operator=(const CheckpointFiles&) = delete;

  const std::string& file() const { return file_; }
  /// Name under which the next checkpoint is written, verified and flushed to the disk.
  std::string next_name() const { return file_ + ".next"; }
  /// Name of the record of the finished snapshots, for a run that writes snapshots. There is one
  /// record for all checkpoints of the run.
  std::string snapshots_name() const { return file_ + ".snapshots"; }
  /// Checks that this run still has the lock. Called before a checkpoint is written, and after a
  /// checkpoint could not be written. Collective.
  /// @throws StorageError  on all ranks: another run has taken the lock of these checkpoints
  void require_ownership() const;
  /// Renames the checkpoint that was written last to its final name; a valid checkpoint exists at
  /// every moment. Collective.
  ///
  /// @throws StorageError  on all ranks
  void give_name(Former former);
  /// Removes all checkpoints, because the run is complete. On rank 0; does not throw. Checkpoints
  /// of another run that has taken the lock are kept. @returns whether no file of this run remains
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
