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
#include "io/write/lock/output_lock.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// State of an output under construction. The files of an output that is not committed are removed.
struct OutputState {
  OutputState(const Communicator& all, const OutputSpec& wanted)
      : communicator(all), spec(wanted) {}
  ~OutputState();

  /// Checks, locks and creates the file, and opens it on every rank. Collective.
  void begin();
  /// On rank 0: performs all steps before the other ranks open the file. Sets the position of the
  /// dataset in the file.
  void make_file();
  /// On rank 0: opens the file that an earlier run has begun, with the same result as make_file().
  void open_unfinished();
  /// Adds the blocks and snapshots of the earlier run to those of this run.
  void adopt_done();
  /// Checks that blocks can still be written. @throws UsageError  the output is committed or set
  /// aside
  void require_writer() const;
  /// Flushes the data that this rank has written to the disk and closes the file; other nodes see
  /// the data only afterwards.
  void close();
  /// Reads back everything except the points, unless OutputSpec::verify is off. If there are
  /// several ranks, the rank that reads differs from the rank that wrote. Collective. @throws
  /// StorageError on every rank
  void verify_structure();
  /// Returns the message for a crash of HDF5 while metadata are copied.
  std::string words_of_crash() const;
  /// Renames the file, and its XDMF file, to their final names. On rank 0.
  void publish();
  /// Opens the file for writing packed chunks. On rank 0.
  void open_target();
  /// Waits on every rank until the last snapshot is written, and makes this snapshot visible to
  /// readers: its packed chunks are written to the file, and its time is written to the scale.
  /// Collective. @throws Error on every rank
  void finish_snapshot();
  /// Checks that this run still owns the output. Called on rank 0 until the file has its final
  /// name. @throws StorageError  another run has taken the lock of this output, or the unfinished
  /// file was removed or replaced: this run's data are lost
  void require_ownership();
  /// Checks the identity of the file after it was opened again.
  /// @throws StorageError  the file that was opened under the unfinished file's name is not the
  ///                       file that this run wrote
  void require_same_file() const;
  BlockStream& next_stream();
  /// Records the inode of the file, by which the file is recognised later.
  void know_file();
  /// Throws if the job is being ended and its cleanup has run, because files that are created or
  /// renamed afterwards would remain. @pre `naming` is locked
  void require_not_aborted() const;
  /// Removes the unfinished file if it still belongs to this run. @returns whether it was removed
  bool remove_file() const;
  /// Cleans up when the job is aborted; called from any thread. @returns whether this rank prints
  /// the reason
  bool clear_aborted();

  std::mutex naming;        ///< locked while the file is created, renamed or cleaned up
  bool is_aborted = false;  ///< the cleanup has run; protected by `naming`
  const Communicator& communicator;
  OutputSpec spec;
  std::optional<UnfinishedOutput> goes_on;  ///< record of an earlier run, if it is continued
  std::atomic<bool> stays{false};           ///< whether the unfinished file is kept however the run
                                            ///< ends
  Index first_byte = 0;                     ///< file offset of the dataset
  OutputPaths paths;
  Descriptor folder, file;
  /// Record of everything except blocks that rank 0 has written to the file.
  const std::shared_ptr<FileStructure> structure = std::make_shared<FileStructure>();
  OutputLock lock;                           ///< taken on rank 0
  std::atomic<std::uint64_t> lock_inode{0};  ///< on the other ranks: inode of the lock
  std::atomic<std::uint64_t> inode{0};       ///< inode of the unfinished file; 0: there is no such
                                             ///< file
  std::vector<std::string> skipped;          ///< set on rank 0: metadata that are not copied
  std::optional<BlockWriter> writer;         ///< exists until the commit
  std::optional<UncachedFile> uncached;      ///< used by streams
  std::optional<PackedTarget> target;        ///< on rank 0: writes packed chunks
  std::optional<OrderedChunks> ordered;      ///< on rank 0: orders the packed chunks of streams
  std::optional<AbortCleanup> cleanup;       ///< exists while there may be something to clean up
  Index times_byte = 0;                      ///< file offset of the times of snapshots
  Index planned_snapshots = 0;
  bool is_within_snapshot = false;
  std::vector<double> times;  ///< times of the snapshots so far
  std::size_t shown = 0;      ///< number of snapshots that readers can see
  std::vector<Index> places;  ///< on rank 0: positions in the file of the packed blocks of
                              ///< snapshots
  /// One stream for each call of write() within a snapshot that is not packed.
  std::deque<BlockStream> streams;
  std::size_t streams_used = 0;
  WorkBehind behind;
};

}  // namespace stencil::storage
