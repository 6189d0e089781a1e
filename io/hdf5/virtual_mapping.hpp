#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// Returns whether two boxes have the same extents, ignoring axes of one point.
bool is_same_shape(const std::vector<Index>& count, const std::vector<Index>& other);

/// A box of points of a virtual dataset, and the same points in their source dataset. In the
/// source, neighbouring points are `step` apart along each axis (1 if `step` is empty).
struct MappedPart {
  Piece here, there;
  std::vector<Index> step{};
};

/// Returns the points of a hyperslab of a virtual dataset that come from one mapping; std::nullopt
/// if there are none.
std::optional<MappedPart> mapped_part(const VirtualMapping& mapping, const Piece& whole);

/// Returns the points of disjoint boxes that lie outside another box, as disjoint boxes.
std::vector<Piece> without(const std::vector<Piece>& boxes, const Piece& other);

/// Returns whether no point belongs to two mappings. @pre together the mappings cover a dataset of
/// `points` points
bool are_disjoint(const std::vector<VirtualMapping>& mappings, Index points);

}  // namespace stencil::storage
