#pragma once

#include <string>
#include <vector>

#include "framework/grid/box.hpp"

namespace stencil {

/// A hyperslab of a dataset in the axes of the dataset, and the same points as a box of the normal
/// form. Both have the points in the same row-major order if the form keeps the order of the axes;
/// otherwise NormalForm::pitches() gives the place of each point.
struct Slab {
  std::vector<Index> start;  ///< per dataset axis
  std::vector<Index> count;
  Box box;
};

/// How the axes of a dataset of any rank fold into `[batch, y, x]`.
///
/// Axes that a mask runs along stay separate; neighbouring axes without a mask merge into one, and
/// axes of one point disappear into a neighbour, so that rows stay long. Examples (active axes in
/// brackets):
///
///     [n]                    -> [1, 1, n]
///     [time] channel         -> [1, time, channel]       a mask along y
///     time [lat] [lon]       -> [time, lat, lon]
///     [time] 1               -> [1, 1, time]
///     a b [time] c d         -> [a * b, time, c * d]
///     shot channel [time]    -> [1, shot * channel, time]
///
/// Where this would make more than three axes, or where a mask runs along two axes that would not
/// become y and x, the order of the axes is not kept: all axes that no mask runs along become the
/// batch. Examples, of masks over both active axes:
///
///     [row] [column] colour  -> [colour, row, column]
///     [time] a [depth] b     -> [a * b, time, depth]
///
/// Where masks run along three axes, the form is that of one volume: the other axes number the
/// volumes, which are computed one after the other.
///
///     time [z] [y] [x]       -> [z, y, x], as often as there are times
///
/// Complex numbers have a last axis of their two parts. This axis does not form rows of two points:
///
///     channel [time] parts   -> [channel * parts, 1, time]
///     [row] [column] parts   -> [parts, row, column]
///     [time] channel parts   -> [1, time, channel * parts]
class NormalForm {
 public:
  NormalForm() = default;
  /// @param dims    extents of the dataset, slowest axis first; a scalar dataset is `{}`
  /// @param active  dataset axes that some mask runs along, each in [0, dims.size())
  /// @param plane   two of them, ascending, that become y and x, or one that becomes x: all axes
  ///                that no mask runs along are then the batch; empty: neither
  /// @param has_parts  whether the last axis consists of the two parts of complex numbers
  /// @throws ShapeError  a 0 extent, an overflow, or masks along more than three axes
  NormalForm(std::vector<Index> dims, const std::vector<int>& active,
             const std::vector<int>& plane = {}, bool has_parts = false);

  const std::vector<Index>& dims() const { return dims_; }
  const Point& shape() const { return shape_; }  ///< of one volume
  /// Normal axis that a dataset axis has become (or is part of).
  Axis normal_axis(int dataset_axis) const;
  /// Dataset axes folded into one normal axis, ascending.
  const std::vector<int>& dataset_axes(int normal_axis) const { return groups_[normal_axis]; }
  /// Whether the row-major order of the points is that of the dataset.
  bool keeps_order() const;
  /// Whether the points of an index of the normal axis follow each other in the dataset, because
  /// no dataset axis of several points lies before those of the normal axis or between them.
  bool is_outermost(int normal_axis) const;
  /// Distance in a view of a box from one index of each dataset axis to the next.
  /// @returns empty if the form keeps the order
  std::vector<Index> pitches(Index batch_pitch, Index row_pitch) const;

  /// Dataset axis that masks run along within a normal axis; -1 where none does.
  int active_axis(int normal_axis) const { return active_[normal_axis]; }

  /// Number of volumes; 1 unless masks run along three axes and there are further axes.
  Index volumes() const;
  /// Dataset axes that number the volumes, ascending.
  const std::vector<int>& volume_axes() const { return outer_; }
  /// The form of another volume; shape and extents are the same.
  NormalForm volume(Index number) const;

  /// The normal form of an output whose extents along the active axes have changed to `shape`.
  ///
  /// @pre shape equals shape() along every normal axis without an active axis
  NormalForm reshaped(const Point& shape) const;

  /// The box as disjoint hyperslabs of the dataset, in row-major order of their first points: one
  /// slab if no merged axis is cut, at most 2k - 1 per normal axis that was merged from k dataset
  /// axes.
  std::vector<Slab> slabs(const Box& box) const;

 private:
  bool fold(const std::vector<int>& active, const std::vector<int>& plane, bool has_parts);
  void reorder(const std::vector<int>& active, const std::vector<int>& plane);

  std::vector<Index> dims_;
  std::array<std::vector<int>, axes> groups_{};
  std::vector<int> outer_{};  ///< axes that number the volumes
  Index volume_ = 0;
  std::array<int, axes> active_{-1, -1, -1};
  Point shape_{1, 1, 1};
};

}  // namespace stencil
