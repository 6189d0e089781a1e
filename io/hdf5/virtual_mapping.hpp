#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// Whether two boxes have the same extents, ignoring axes of one point.
bool is_same_shape(const std::vector<Index>& count, const std::vector<Index>& other);

/// Points of a virtual dataset, and the same points in their source: `there.count` of them along
/// each axis, `step` apart (empty: 1).
struct MappedPart {
  Piece here, there;
  std::vector<Index> step{};
};

/// The points that a hyperslab of a virtual dataset takes from one mapping; nothing if there are
/// none.
std::optional<MappedPart> mapped_part(const VirtualMapping& mapping, const Piece& whole);

/// The points of disjoint boxes that do not lie in another box, as disjoint boxes.
std::vector<Piece> without(const std::vector<Piece>& boxes, const Piece& other);

/// Whether no point belongs to two mappings. @pre together they cover a dataset of `points` points
bool are_disjoint(const std::vector<VirtualMapping>& mappings, Index points);

}  // namespace stencil::storage
