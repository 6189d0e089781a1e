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

/// The points of a box on their way to the file: the hyperslabs of the dataset that the box
/// becomes, and the points of each.
template <class T>
struct Outgoing {
  std::vector<Piece> slabs;
  std::vector<SlabView<const T>> views;

  /// @param box       in the boxes that are written, see OutputSpec::filters
  /// @param snapshot  whose points they are, where the output is of snapshots
  Outgoing(const OutputSpec& spec, const Box& box, FieldView<const T> source, Index snapshot);

  /// Converts the points of a part to the type of the output.
  /// @param layout  the piece whose points `to` holds, row-major
  WriteCounts fill(const OutputSpec& spec, const BlockPart& part, const Piece& layout,
                   std::byte* to) const;

 private:
  /// Adds a box of the form. @param leading  index along the axis before those of the form
  void add(const OutputSpec& spec, const Box& box, FieldView<const T> source, Index leading);
};

}  // namespace stencil::storage
