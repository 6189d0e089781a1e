#pragma once

#include <string>
#include <vector>

#include "framework/grid/box.hpp"

namespace stencil {

/// A hyperslab in the axes of a dataset, and the box of the normal form that contains the same
/// points. If the form keeps the order of the axes, both have the points in the same row-major
/// order; otherwise NormalForm::pitches() gives the memory position of each point.
struct Slab {
  std::vector<Index> start;  ///< per dataset axis
  std::vector<Index> count;
  Box box;
};

/// Folding of the axes of a dataset of any rank into `[batch, y, x]`.
///
/// Axes along which a mask runs stay separate. Neighbouring axes without a mask are merged into
/// one, and axes of one point are merged with a neighbour, so that rows stay long. Examples (active
/// axes in brackets):
///
///     [n]                    -> [1, 1, n]
///     [time] channel         -> [1, time, channel]       a mask along y
///     time [lat] [lon]       -> [time, lat, lon]
///     [time] 1               -> [1, 1, time]
///     a b [time] c d         -> [a * b, time, c * d]
///     shot channel [time]    -> [1, shot * channel, time]
///
/// If this rule gave more than three axes, or if a mask runs along two axes that would not become y
/// and x, the order of the axes is changed: all axes without a mask become the batch. Examples, for
/// masks over both active axes:
///
///     [row] [column] colour  -> [colour, row, column]
///     [time] a [depth] b     -> [a * b, time, depth]
///
/// If masks run along three axes, the normal form describes one volume. The other axes number the
/// volumes, which are computed one after the other.
///
///     time [z] [y] [x]       -> [z, y, x], one volume for each time
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
  /// @param plane   two of the active axes, ascending, which become y and x, or one, which becomes
  ///                x; all axes that no mask runs along then form the batch. If empty, the rules
  ///                above determine y and x
  /// @param has_parts  whether the last axis consists of the two parts of complex numbers
  /// @throws ShapeError  a 0 extent, an overflow, or masks along more than three axes
  NormalForm(std::vector<Index> dims, const std::vector<int>& active,
             const std::vector<int>& plane = {}, bool has_parts = false);

  const std::vector<Index>& dims() const { return dims_; }
  const Point& shape() const { return shape_; }  ///< extents of one volume
  /// Normal axis that contains a dataset axis.
  Axis normal_axis(int dataset_axis) const;
  /// Dataset axes folded into one normal axis, ascending.
  const std::vector<int>& dataset_axes(int normal_axis) const { return groups_[normal_axis]; }
  /// Returns whether the row-major order of the normal form equals that of the dataset.
  bool keeps_order() const;
  /// Returns whether all points that have the same index along the normal axis are contiguous in
  /// the dataset. This is so if all dataset axes before or between the dataset axes of the normal
  /// axis have one point.
  bool is_outermost(int normal_axis) const;
  /// Returns, for each dataset axis, the number of elements in memory from one index to the next,
  /// in a view of a box with these pitches. The result is empty if the form keeps the order.
  std::vector<Index> pitches(Index batch_pitch, Index row_pitch) const;

  /// Dataset axis, within a normal axis, along which masks run; -1 if there is none.
  int active_axis(int normal_axis) const { return active_[normal_axis]; }

  /// Number of volumes; 1 unless masks run along three axes and there are further axes.
  Index volumes() const;
  /// Dataset axes that number the volumes, ascending.
  const std::vector<int>& volume_axes() const { return outer_; }
  /// Returns the form of volume `number`; shape and extents are the same for all volumes.
  NormalForm volume(Index number) const;

  /// Returns the normal form of an output. Its extents along the active axes are taken from
  /// `shape`, and all other extents are kept.
  ///
  /// @pre shape equals shape() along every normal axis that contains no active axis
  NormalForm reshaped(const Point& shape) const;

  /// Divides a box into disjoint hyperslabs of the dataset, in row-major order of their first
  /// points. The result is one slab if no merged axis is cut, and at most 2k - 1 slabs per normal
  /// axis that was merged from k dataset axes.
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
