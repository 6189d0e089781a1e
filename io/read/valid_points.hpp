#pragma once

#include <memory>
#include <vector>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

namespace storage {
class StoredDataset;
}

/// Uses one dataset as the mask of valid points of another dataset: a point is valid if the mask is
/// neither 0 nor NaN at this point.
///
/// @param mask  has the shape of `facts`, except that leading axes may be absent or have one point;
///              the mask then applies to all indices along these axes
/// @throws WordsError  the shapes do not fit
void set_validity(DatasetFacts& facts, DatasetFacts mask);

/// Returns the points of a mask that belong to a selection of the dataset to which the mask
/// applies.
/// @param points  the selection, per axis of the dataset
std::vector<AxisSelection> points_of_mask(const DatasetFacts& mask,
                                          const std::vector<AxisSelection>& points);

/// An open mask of a dataset. Several threads may read at the same time.
class ValidPoints {
 public:
  /// @param mask  from DatasetFacts::validity
  /// @throws StorageError  the file has changed since the probe or cannot be opened
  explicit ValidPoints(const DatasetFacts& mask);
  ~ValidPoints();

  /// Writes NaN to the points that are not valid according to the mask.
  ///
  /// @param form    normal form of the dataset whose points are in `target`
  /// @param box     box of the points in normal form, of the same extent as `target`
  /// @throws StorageError  also if the file has changed since the probe
  template <class T>
  void mark_missing(const NormalForm& form, const Box& box, FieldView<T> target) const;

 private:
  template <class From, class T>
  void mark_as(const NormalForm& form, const Box& box, FieldView<T> target) const;

  const DatasetFacts mask_;
  std::unique_ptr<storage::StoredDataset> stored_;
};

}  // namespace stencil
