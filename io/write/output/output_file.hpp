#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

struct UnfinishedOutput;  // declared in unfinished_output.hpp, which is not public; stencil_run
                          // continues with it
namespace storage {
struct OutputState;
struct WriteCounts;
}  // namespace storage

/// Checks on one rank, without changing any file, that the output can be written: the folder is
/// writable; the file is not the input, and does not exist unless overwrite is set; chunk and
/// missing value are possible; there is space for the whole output if its size is known.
///
/// @throws StorageError, WordsError
void check_output(const OutputSpec& spec);

/// Counts of a finished output, over all ranks.
struct OutputCounts {
  Index saturated = 0;  ///< values out of range of the output type; for float32 only finite values
  Index vanished = 0;   ///< values other than 0 that an integer output type rounded to 0
  Index missing = 0;    ///< number of NaN points written
  Index bytes = 0;
  std::vector<Index> dims;  ///< extents of the dataset
  /// Metadata of the input that is not copied, and the reasons: attributes and dimension scales
  /// that could not be read, or that are not valid for the output. Set on rank 0.
  std::vector<std::string> skipped;
};

/// Returns the smallest n such that windows of n output points along a normal axis consist of whole
/// blocks, if each window begins at a multiple of n. @pre all axes in front of `axis` have one
/// output point
Index whole_blocks(const OutputSpec& spec, int axis);

/// An output under construction. The file is written as `NAME.part`, protected by the lock
/// `NAME.lock`. The file gets its final name only when it is complete, verified and on the disk.
/// After an error, neither of these two files remains; a SIGKILL leaves both, and the next run
/// removes them.
///
/// Collective: every rank of the communicator makes the same calls in the same order.
class OutputFile {
  using State = storage::OutputState;

 public:
  /// Checks before any work that the output can be written: the folder is writable; the file is
  /// neither the input nor open in an InputDataset of any rank; the file does not exist, or
  /// overwrite is set; there is space for the whole file. Then takes the lock, creates the file
  /// with its groups, attributes and dimension scales, and allocates its blocks.
  ///
  /// @throws StorageError, WordsError on all ranks
  /// @param goes_on  a record of this output that an earlier run with the same specification has
  ///                 made. The completed blocks (for an output of snapshots, the snapshots in the
  ///                 record) are kept, and everything else is written again. If null, a new output
  ///                 is created
  OutputFile(const Communicator& communicator, const OutputSpec& spec,
             const UnfinishedOutput* goes_on = nullptr);
  /// Removes an unfinished file and the lock.
  ~OutputFile();

  /// Writes the points of `box` (normal form of the output, global indices; may be empty) from a
  /// view of the same extent. Collective; every point must be written once, by one rank.
  ///
  /// @throws ShapeError  on all ranks: the extents of view and box differ, or the box lies outside
  ///                     the output
  /// @throws UsageError  on all ranks: the output is already committed, or a point is written twice
  ///                     (if this is not detected here, the commit detects it)
  /// @throws StorageError, MachineError  on all ranks
  template <class T>
  void write(const Box& box, FieldView<const T> source);

  /// Sets the volume that contains all boxes that are written after this call, including boxes
  /// written by streams; see NormalForm::volume(). Does not communicate; every rank passes the same
  /// number.
  void begin_volume(Index number);

  /// Begins the next snapshot of an output of snapshots. Between this call and end_snapshot(),
  /// write() must be called for each point of the snapshot once. begin_snapshot() waits until the
  /// previous snapshot is written. Readers of the unfinished file then see the previous snapshot,
  /// because its time is no longer NaN. Collective.
  /// @throws Error  on all ranks, including errors from writing the previous snapshot
  void begin_snapshot();
  /// Ends the snapshot and returns at once; the points were copied, and are written by another
  /// thread.
  /// @param time  time of the snapshot in the scale `time`
  void end_snapshot(double time);

  /// Waits until all snapshots so far are written and on the disk, where readers of the unfinished
  /// file see them. Collective.
  ///
  /// @returns times and counts of all ranks; on rank 0 also the records, with their positions in
  ///          the file, in the order of blocks
  /// @throws Error  on all ranks, including errors from writing the snapshots
  UnfinishedOutput settle_snapshots();
  /// After this call the unfinished file is kept if the run ends before the commit, so that a later
  /// run can continue it. Does not communicate.
  void keep_part();

  /// Runs `work`. If `work` fails with a storage error on all ranks and another run has taken over
  /// this output, the other run is the probable cause. In this case, the message of the error says
  /// which run has the lock, or that the unfinished file was removed or replaced. Collective.
  void as_owner(const std::function<void()>& work);

  /// Writes windows from one thread, while other threads of this rank write other windows. No MPI
  /// function is called. The file must outlive the stream.
  class Stream {
   public:
    Stream(Stream&&) noexcept;
    ~Stream();
    /// Writes the points of `box` like OutputFile::write().
    /// @pre the box consists of whole blocks, see whole_blocks()
    /// @throws StorageError, MachineError  on this rank alone
    template <class T>
    void write(const Box& box, FieldView<const T> source);
    /// Reads back the data of the last write() and compares checksums, if the file can be read
    /// without the page cache; otherwise the commit reads these data back. @throws StorageError on
    /// this rank alone
    void verify();
    /// Counts of all calls of write() so far.
    const storage::WriteCounts& counts() const;

   private:
    friend class OutputFile;
    struct Parts;
    explicit Stream(State& state);
    std::unique_ptr<Parts> parts_;
  };
  /// Makes a stream for one thread. Must be called by one thread at a time; not collective. @throws
  /// Error
  Stream stream();
  /// Adds the records of a stream to the records that the commit completes. Must be called by one
  /// thread at a time.
  void take(Stream& stream);

  /// Sets OutputSpec::steps_done before the commit. Every rank passes the same number.
  void set_steps_done(Index steps);
  /// Sets OutputSpec::at_commit. Every rank passes the same attributes.
  void set_at_commit(std::map<std::string, std::string> attributes);

  /// Completes the file. A file of snapshots is shortened to the existing snapshots if
  /// SnapshotAxis::may_end_early is set. Unless OutputSpec::verify is off, every block that no
  /// stream has verified is read back and its checksum is compared; the rank that reads a block
  /// back differs from the rank that wrote the block. Then the file is marked complete, flushed to
  /// the disk (fsync on every rank) and renamed, and the folder is flushed.
  ///
  /// @param before_name  called on every rank when only the renaming remains, before any rank
  ///                     continues
  /// @throws UsageError on all ranks: the output is already committed, or some points were never
  ///         written, or were written twice. Missing points may then be written, and the commit
  ///         repeated
  /// @throws StorageError on all ranks: the data that were read back differ from the data that were
  ///         written, or another run has taken over this output.
  /// @throws WordsError on all ranks: the output has NaN points, but an integer type and no missing
  ///         value
  OutputCounts commit(const std::function<void()>& before_name = [] {});

  /// Leaves the unfinished file NAME.part on the disk, without its lock, so that a later run can
  /// continue it. Can be used only if streams have written whole windows, and not for packed
  /// outputs.
  ///
  /// @param keeps  whether a block is complete; other blocks will be written again
  /// @returns on rank 0: the record, whose members `words`, `axis`, `done` and `counts` are not set
  /// @throws StorageError  on all ranks
  UnfinishedOutput set_aside(const std::function<bool(Index block)>& keeps);

 private:
  /// Implements commit().
  OutputCounts finish(const std::function<void()>& before_name);

  std::unique_ptr<State> state_;
};

}  // namespace stencil
