#pragma once

#include <cstddef>
#include <vector>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The points of a box to be written: the hyperslabs of the dataset that correspond to the box, and
/// views of the points of each hyperslab.
template <class T>
struct Outgoing {
  std::vector<Piece> slabs;
  std::vector<SlabView<const T>> views;

  /// @param box       box in the shape that is written, see OutputSpec::filters
  /// @param snapshot  index of the snapshot that has the points, for an output of snapshots
  Outgoing(const OutputSpec& spec, const Box& box, FieldView<const T> source, Index snapshot);

  /// Converts the points of a part to the type of the output.
  /// @param layout  piece that defines the row-major layout of `to`
  /// @returns the numbers of converted points; missing complex numbers are not counted
  WriteCounts fill(const OutputSpec& spec, const BlockPart& part, const Piece& layout,
                   std::byte* to) const;

 private:
  /// Adds a box of the form. @param leading  index along the axis that precedes the axes of the
  /// form
  void add(const OutputSpec& spec, const Box& box, FieldView<const T> source, Index leading);
};

}  // namespace stencil::storage
