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

struct UnfinishedOutput;  // unfinished_output.hpp, which is not public: stencil_run continues with
                          // it
namespace storage {
struct OutputState;
struct WriteCounts;
}  // namespace storage

/// Checks on one rank, without changing any file, that the output can be written: folder writable,
/// not the input, not existing unless overwrite, chunk and missing value possible, free space for
/// all of it if its size is known.
///
/// @throws StorageError, WordsError
void check_output(const OutputSpec& spec);

/// Counts of a finished output, over all ranks.
struct OutputCounts {
  Index saturated = 0;  ///< values beyond the range of the output type; of float32, finite ones
  Index vanished = 0;   ///< values other than 0 that an integer output type rounded to 0
  Index missing = 0;    ///< NaN points written
  Index bytes = 0;
  std::vector<Index> dims;  ///< extents of the dataset
  /// Metadata of the input that is not carried over, and why: attributes and dimension scales that
  /// could not be read, or that are not true of the output. Known on rank 0.
  std::vector<std::string> skipped;
};

/// Smallest number of outputs along a normal axis such that windows whose sizes are multiples of it
/// consist of whole blocks, counted from the first output. @pre all axes outside of it have one
/// output
Index whole_blocks(const OutputSpec& spec, int axis);

/// An output under construction. The file is written as `NAME.part` under the lock `NAME.lock` and
/// gets its name only when it is complete, verified and on the disk. After any error neither file
/// remains (a SIGKILL leaves both, and the next run removes them).
///
/// Collective: every rank of the communicator makes the same calls in the same order.
class OutputFile {
  using State = storage::OutputState;

 public:
  /// Checks before any work that the output can be written: the folder is writable; the file is
  /// neither the input nor open in an InputDataset of any rank; the file does not exist, or
  /// overwrite is set; there is space for the whole file. Then takes the lock, creates the file
  /// with its groups, attributes and dimension scales, and reserves its blocks.
  ///
  /// @throws StorageError, WordsError on all ranks
  /// @param goes_on  a record of this output, made with the same specification: its completed
  ///                 blocks are kept. With snapshots, the snapshots of the record are kept and
  ///                 later snapshots are written again. If null, a new output is created
  OutputFile(const Communicator& communicator, const OutputSpec& spec,
             const UnfinishedOutput* goes_on = nullptr);
  /// Removes an unfinished file and the lock.
  ~OutputFile();

  /// Writes the points of `box` (normal form of the output, global indices; may be empty) from a
  /// view of the same extent. Collective; every point is written by one rank, once.
  ///
  /// @throws ShapeError  on all ranks: the view has another extent than the box, or the box
  ///                     lies outside of the output
  /// @throws UsageError  on all ranks: after the commit, or a point is written twice (if it
  ///                     is not found here, the commit finds it)
  /// @throws StorageError, MachineError  on all ranks
  template <class T>
  void write(const Box& box, FieldView<const T> source);

  /// Boxes that are written from now on, by streams too, are of this volume of the form, see
  /// NormalForm::volume(). Does not communicate; the same on every rank.
  void begin_volume(Index number);

  /// Begins the next snapshot of an output of snapshots. Until end_snapshot(), calls of write()
  /// give all of its points once. Waits until the snapshot before it is written; readers of the
  /// unfinished file then see that snapshot, because its time is no longer NaN. Collective.
  /// @throws Error  on all ranks, including errors from writing the previous snapshot
  void begin_snapshot();
  /// Returns at once; the points were copied, and are written by another thread.
  /// @param time  for the scale `time`
  void end_snapshot(double time);

  /// Waits until all snapshots that were taken are written and on the disk, where readers of the
  /// unfinished file see them. Collective.
  ///
  /// @returns times and counts of all ranks; on rank 0 also the records, with their places in the
  ///          file, in the order of blocks
  /// @throws Error  on all ranks, including errors from writing the snapshots
  UnfinishedOutput settle_snapshots();
  /// After this call the unfinished file stays if the run ends before its commit, so that a later
  /// run can continue it. Does not communicate.
  void keep_part();

  /// Runs `work`. If it fails with a storage error on all ranks and another run has taken
  /// over this output, that is thrown instead, because the other run may be the cause: which run
  /// has the lock, or that the unfinished file was removed or replaced. Collective.
  void as_owner(const std::function<void()>& work);

  /// Writes windows from one thread, beside other threads of this rank that write other windows,
  /// without messages. The file must outlive it.
  class Stream {
   public:
    Stream(Stream&&) noexcept;
    ~Stream();
    /// Writes the points of `box` as OutputFile::write does.
    /// @pre the box consists of whole blocks, see whole_blocks()
    /// @throws StorageError, MachineError  on this rank alone
    template <class T>
    void write(const Box& box, FieldView<const T> source);
    /// Reads back and compares what the last write() has written, if the file can be read past the
    /// page cache; otherwise the commit does this. @throws StorageError  on this rank alone
    void verify();
    /// Of what write() has written so far.
    const storage::WriteCounts& counts() const;

   private:
    friend class OutputFile;
    struct Parts;
    explicit Stream(State& state);
    std::unique_ptr<Parts> parts_;
  };
  /// A stream for one thread. Called in one thread at a time; not collective. @throws Error
  Stream stream();
  /// Adds what a stream has written to what the commit closes. Called in one thread at a time.
  void take(Stream& stream);

  /// Sets OutputSpec::steps_done, for the commit. The same on every rank.
  void set_steps_done(Index steps);
  /// Sets OutputSpec::at_commit. The same on every rank.
  void set_at_commit(std::map<std::string, std::string> attributes);

  /// Closes the file; a file of snapshots is shortened to the existing snapshots if allowed. Reads
  /// every box that no stream has verified again, on another rank than the one that wrote it, and
  /// compares checksums, unless OutputSpec::verify is off. Then marks the file complete, flushes it
  /// to the disk (fsync on every rank), renames it and fsyncs the folder.
  ///
  /// @param before_name  called on every rank when only the renaming remains, before any rank
  ///                     continues
  /// @throws UsageError on all ranks: it was committed already; points that were never
  ///                    written, or twice. Missing points may then be written, and committed
  /// @throws StorageError on all ranks: what was read back is not what was written, or
  ///                      another run has taken over this output.
  /// @throws WordsError on all ranks: NaN points, and the output is of an integer type and
  ///                    has no missing value
  OutputCounts commit(const std::function<void()>& before_name = [] {});

  /// Leaves the unfinished file NAME.part on the disk, without its lock, so that a later run can
  /// continue it. Only for whole windows written by streams. Not to be called for packed outputs.
  ///
  /// @param keeps  whether a block is complete; the others are written again
  /// @returns on rank 0: the record, without words, axis, done and counts
  /// @throws StorageError  on all ranks
  UnfinishedOutput set_aside(const std::function<bool(Index block)>& keeps);

 private:
  /// The work of commit().
  OutputCounts finish(const std::function<void()>& before_name);

  std::unique_ptr<State> state_;
};

}  // namespace stencil
