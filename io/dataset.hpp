#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/field.hpp"
#include "framework/grid/normal_form.hpp"
#include "framework/grid/sampling.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/dataset_facts.hpp"

namespace stencil {

namespace storage {
class StoredDataset;
}

/// Replaces missing points while reading: every element equal to one of `values` (compared in the
/// file's own type; NaN matches NaN) becomes `replacement`.
struct MissingPoints {
  std::vector<ElementValue> values;
  double replacement = 0;  ///< usually NaN
};

/// Checks a missing value that the user gave: elements of the dataset's type must be able to have
/// it (nan and 0.5 are no integers, 70000 is no int16), else it would silently match nothing.
///
/// @throws WordsError
void check_missing(const MissingPoints& missing, const DatasetFacts& facts);

/// Most bytes that InputDataset::read holds beside the view it fills: points on their way, the
/// cache of chunks, and what unpacking a chunk takes.
Index reading_bytes(const DatasetFacts& facts);

/// A dataset opened for reading by one rank on its own, without MPI: a rank that fails knows it at
/// once and no other rank is stuck. The file is opened read-only.
class InputDataset {
 public:
  /// @throws StorageError  the file changed since it was probed, or cannot be opened.
  explicit InputDataset(const DatasetFacts& facts);
  ~InputDataset();

  /// Reads the points of `box` (normal form, global indices) into a view of the same extent,
  /// converted to T; pieces of at most 256 MiB, whole chunk rows where the dataset is chunked.
  ///
  /// @returns number of points that were missing
  /// @throws StorageError  with the file, the dataset and HDF5's own reason; also if the file or a
  ///                       source of a virtual dataset changed since the probe
  template <class T>
  Index read(const NormalForm& form, const Box& box, FieldView<T> target,
             const std::optional<MissingPoints>& missing) const;

  /// The same in the dataset's own element type, nothing replaced. @pre Stored is that type
  template <class Stored>
  void read_stored(const NormalForm& form, const Box& box, FieldView<Stored> target) const;

 private:
  template <class From, class T>
  Index read_as(const NormalForm& form, const Box& box, FieldView<T> target,
                const std::vector<ElementValue>& missing, T replacement) const;

  DatasetFacts facts_;
  std::unique_ptr<storage::StoredDataset> stored_;
};

/// What the output file is to be.
struct OutputSpec {
  std::string file, dataset;
  NormalForm form;  ///< of the output
  ElementType type = ElementType::float32;
  std::vector<Index> chunk;  ///< per dataset axis; empty = contiguous
  int gzip_level = 0;        ///< 0 = none; with shuffle otherwise; needs a chunk
  bool overwrite = false;
  /// Where attributes and dimension scales come from. Per dataset axis, the sampling says which
  /// input points the outputs stand on: coordinates and spacings are carried over accordingly.
  DatasetFacts input;
  std::vector<AxisSampling> sampling;
  /// Value that stands for missing points in the output; with a floating type NaN.
  std::optional<ElementValue> missing_value;
  /// Whether the output's values are packed as the input's are: only then do the attributes
  /// scale_factor and add_offset stay true and are carried over.
  bool packed_attributes = false;
  /// Whether a stage differentiates: what tells the input's quantity and its unit (units,
  /// standard_name, long_name ...) is then not carried over.
  bool is_derivative = false;
  /// Other files of the run that must not be overwritten: masks, the configuration, the report.
  std::vector<std::string> also_read;
  /// Attributes of the output dataset that tell how it was made: CF `history`, the configuration,
  /// version, method ... Nothing in here may depend on the number of ranks if the bytes of the
  /// file are to be the same for every rank count.
  std::map<std::string, std::string> provenance;
};

/// Checks on one rank, and without touching anything, that the output can be written: folder
/// writable, not the input, not existing unless overwrite, chunk and missing value possible, free
/// space for all of it where its size is known.
///
/// @throws StorageError, WordsError
void check_output(const OutputSpec& spec);

/// Most bytes that an OutputFile holds on one rank beside the views it is given: blocks that are
/// being converted and packed, parts of blocks on their way to another rank, packed chunks that
/// wait for their place, and reading back. Blocks that are completed only by later calls come on
/// top.
Index writing_bytes(const OutputSpec& spec);

/// Counts of a finished output, over all ranks.
struct OutputCounts {
  Index saturated = 0;  ///< values beyond the range of an integer output type
  Index vanished = 0;   ///< values other than 0 that an integer output type rounded to 0
  Index missing = 0;    ///< NaN points written
  Index bytes = 0;
  /// What of the input's metadata is not carried over, and why: attributes and dimension scales
  /// that could not be read, or that are untrue of the output; told on rank 0.
  std::vector<std::string> skipped;
};

/// An output under construction. The file is written as `NAME.part` under the lock `NAME.lock` and
/// gets its name only when it is complete, verified and on the disk; whatever goes wrong before
/// leaves neither file behind (a SIGKILL leaves both, and the next run clears them).
///
/// Collective: every rank of the communicator makes the same calls in the same order.
class OutputFile {
 public:
  /// Checks before any work that the output can be written: folder writable, not the input, not
  /// existing unless overwrite, free space for all of it; then takes the lock, creates the file
  /// with its groups, attributes and dimension scales, and reserves its blocks.
  ///
  /// @throws StorageError, WordsError on every rank alike
  OutputFile(const Communicator& communicator, const OutputSpec& spec);
  /// Removes an unfinished file and the lock.
  ~OutputFile();

  /// Writes the points of `box` (normal form of the output, global indices; may be empty) from a
  /// view of the same extent. Collective; every point is written by one rank, once.
  ///
  /// @throws StorageError, MachineError  on every rank alike
  template <class T>
  void write(const Box& box, FieldView<const T> source);

  /// Closes the file, re-reads every box on another rank than wrote it and compares checksums,
  /// marks the file complete, brings it to the disk (fsync on every rank), renames it, fsyncs the
  /// folder.
  ///
  /// @throws StorageError on every rank alike: what was read back is not what was written.
  /// @throws WordsError on every rank alike: NaN points, and the output is of an integer type and
  ///                    has no missing value
  OutputCounts commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Must be called once before MPI_Init and before any HDF5 call: shuts off filter plugins and the
/// environment variables that redirect external and virtual files, makes file locking best effort,
/// silences HDF5's error stack.
void prepare_storage_environment();

}  // namespace stencil
