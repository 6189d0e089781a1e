#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "framework/parallel/abort.hpp"
#include "io/write/blocks/block_stream.hpp"
#include "io/write/blocks/block_writer.hpp"
#include "io/write/blocks/file_structure.hpp"
#include "io/write/blocks/work_behind.hpp"
#include "io/write/lock/fresh_file.hpp"
#include "io/write/lock/output_lock.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// State of an output under construction. Unless committed, its files are removed.
struct OutputState {
  OutputState(const Communicator& all, const OutputSpec& wanted)
      : communicator(all), spec(wanted) {}
  ~OutputState();

  /// Checks, locks and creates the file, and opens it on every rank. Collective.
  void begin();
  /// On rank 0: everything before the other ranks learn about the file. Sets the position of the
  /// dataset in it.
  void make_file();
  /// On rank 0: opens the file that an earlier run has begun, with the same result.
  void open_unfinished();
  /// Takes what is done already for what was done by this run.
  void adopt_done();
  /// @throws UsageError  the output is committed, or set aside
  void require_writer() const;
  /// Flushes what this rank has written to the disk and closes the file; other nodes see the data
  /// only afterwards.
  void close();
  /// Reads everything but the points back, on another rank than the one that wrote it if there are
  /// several, unless OutputSpec::verify is off. Collective. @throws StorageError  on every rank
  void verify_structure();
  /// The message of a crash of HDF5 while metadata are carried over.
  std::string words_of_crash() const;
  /// Gives the file its name, and its companion. On rank 0.
  void publish();
  /// Writes NAME.xdmf, which shows the snapshots to other programs, under a temporary name. On rank
  /// 0.
  /// @returns why that failed; else an empty text
  std::string make_companion(std::optional<FreshFile>& companion);
  /// Gives it its name, if it was made. @returns as make_companion
  std::string name_companion(std::optional<FreshFile>& companion) const;
  /// Opens the file for packed chunks. On rank 0.
  void open_target();
  /// Waits until the last snapshot is written, on every rank, and makes it visible to readers:
  /// packed chunks are written to the file, and its time to the scale. Collective. @throws Error on
  /// every rank
  void finish_snapshot();
  /// On rank 0, until the file has its name. @throws StorageError  another run has taken the lock
  /// of this output, or the unfinished file was removed or replaced: this run's data is lost
  void require_ownership();
  /// @throws StorageError  the file opened as the unfinished file is not the one that this
  ///                       run wrote
  void require_same_file() const;
  BlockStream& next_stream();
  /// Records the inode of the file, by which it is recognised later.
  void know_file();
  /// Removes the companion of an earlier output of this name, which would show other points.
  void remove_old_companion() const;
  /// Throws if the job is being ended and its cleanup has run: files that are created or renamed
  /// afterwards would remain. @pre naming is locked
  void require_not_aborted() const;
  /// Removes the unfinished file if it is still ours. @returns whether it did
  bool remove_file() const;
  /// Cleans up when the job is aborted, from any thread. @returns whether this rank prints the
  /// reason
  bool clear_aborted();

  std::mutex naming;        ///< held while the file is made, named or cleared up
  bool is_aborted = false;  ///< cleared up; under `naming`
  const Communicator& communicator;
  OutputSpec spec;
  std::optional<UnfinishedOutput> goes_on;  ///< what is done already
  std::atomic<bool> stays{false};           ///< the unfinished file, whatever ends the run
  Index first_byte = 0;                     ///< of the dataset
  OutputPaths paths;
  Descriptor folder, file;
  /// What rank 0 has written to the file besides blocks.
  const std::shared_ptr<FileStructure> structure = std::make_shared<FileStructure>();
  OutputLock lock;                           ///< taken on rank 0
  std::atomic<std::uint64_t> lock_inode{0};  ///< of the lock, on the other ranks
  std::atomic<std::uint64_t> inode{0};       ///< of the unfinished file; 0 = there is none
  std::vector<std::string> skipped;          ///< on rank 0: not carried over
  std::optional<BlockWriter> writer;         ///< until the commit
  std::optional<UncachedFile> uncached;      ///< for streams
  std::optional<PackedTarget> target;        ///< on rank 0, for packed chunks
  std::optional<OrderedChunks> ordered;      ///< on rank 0, for streams
  std::optional<AbortCleanup> cleanup;       ///< while there may be something to clear up
  Index times_byte = 0;                      ///< of the times of snapshots
  Index planned_snapshots = 0;
  bool is_within_snapshot = false;
  std::vector<double> times;  ///< of the snapshots that were taken
  std::size_t shown = 0;      ///< snapshots that readers can see
  std::vector<Index> places;  ///< on rank 0: of packed blocks of snapshots, in the file
  /// For each call of write() within a snapshot that is not packed.
  std::deque<BlockStream> streams;
  std::size_t streams_used = 0;
  WorkBehind behind;
};

}  // namespace stencil::storage
