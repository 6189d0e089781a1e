#pragma once

#include <vector>

#include "framework/device/field.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Gathers the whole world in the memory of one rank, for example for checks and pictures. The
/// world must fit into the memory of one process. Collective; returns when all points have arrived.
///
/// @param field  this rank's block of the world, in any decomposition; its owned points must be
///               valid
/// @param shape  the shape of the world, {batch, y, x}
/// @returns all points, row-major, on rank `root`; empty on the other ranks
/// @throws Error  on all ranks: the blocks do not form a world of this shape, or there is
///                no memory for the points
template <class T>
std::vector<T> gather_field(const Communicator& communicator, const Field<T>& field,
                            Executor& executor, const Point& shape, int root = 0);

extern template std::vector<float> gather_field(const Communicator&, const Field<float>&, Executor&,
                                                const Point&, int);
extern template std::vector<double> gather_field(const Communicator&, const Field<double>&,
                                                 Executor&, const Point&, int);

}  // namespace stencil
