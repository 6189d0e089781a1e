#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"

namespace stencil {

namespace storage {
struct Piece;
template <class T>
struct SlabView;
class StoredDataset;
}  // namespace storage
class ValidPoints;

/// Returns the error message if the process crashes while it reads a dataset, see CrashGuard.
std::string reading_crash(const DatasetFacts& facts);

/// A dataset opened read-only by one rank, without MPI: a failure on one rank does not block the
/// other ranks. Several threads may read at the same time. While this object exists, no OutputFile
/// of this process replaces the dataset's file.
class InputDataset {
 public:
  /// @param kept  size in bytes of the cache of unpacked chunks; the cache is useful if reads
  ///              overlap. If 0, the cache has the size of one row of chunks
  /// @throws StorageError  the file has changed since the probe or cannot be opened.
  explicit InputDataset(const DatasetFacts& facts, Index kept = 0);
  ~InputDataset();

  /// Reads the points of `box` (normal form, global indices) into a view of the same extent. For a
  /// dataset of complex numbers, `form` is a normal form of DatasetFacts::number_dims(). The points
  /// are converted to T, and unpacked if DatasetFacts::reads_values is set. Reads pieces of at most
  /// 256 MiB, and whole chunk rows if the dataset is chunked.
  ///
  /// @param missing  the missing values and their replacement, which is also used for points that
  ///                 are invalid according to DatasetFacts::validity; if absent, no point is
  ///                 replaced
  /// @returns number of missing points
  /// @throws StorageError  names the file, the dataset and HDF5's reason; also thrown if the file
  ///                       or a source of a virtual dataset has changed since the probe
  template <class T>
  Index read(const NormalForm& form, const Box& box, FieldView<T> target,
             const std::optional<MissingPoints>& missing) const;

  /// Like read(), but the points are not converted, and missing points are not replaced.
  /// @pre Stored is the type of the dataset's numbers, and the numbers are not unpacked
  template <class Stored>
  void read_stored(const NormalForm& form, const Box& box, FieldView<Stored> target) const;

 private:
  template <class From, class T>
  Index read_as(const NormalForm& form, const Box& box, FieldView<T> target,
                const std::optional<MissingPoints>& missing) const;
  /// For the complex numbers of a hyperslab, writes NaN to each part of a number whose other part
  /// is NaN.
  template <class T>
  void mark_other_parts(const storage::SlabView<T>& view, const storage::Piece& own) const;
  /// Writes NaN to the points that are missing for a reason other than their own number, and 0 to
  /// all other points.
  template <class T>
  void mark_missing(const NormalForm& form, const Box& box, FieldView<T> target) const;

  DatasetFacts facts_;
  std::unique_ptr<storage::StoredDataset> stored_;
  std::unique_ptr<ValidPoints> valid_;  ///< null if all points are valid
};

}  // namespace stencil
