#pragma once

#include <vector>

#include "framework/device/field.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// The whole world in the memory of one rank: for results that fit into one process, for checks and
/// pictures. Collective; returns when all points have arrived.
///
/// @param field  this rank's block of the world, owned points valid; any decomposition
/// @param shape  the shape of the world, {batch, y, x}
/// @returns on rank `root` all points, row-major; nothing on the others
/// @throws Error  agreed on by all ranks: the blocks are not those of a world of this shape; no
///                memory for the points
template <class T>
std::vector<T> gather_field(const Communicator& communicator, const Field<T>& field,
                            Executor& executor, const Point& shape, int root = 0);

extern template std::vector<float> gather_field(const Communicator&, const Field<float>&, Executor&,
                                                const Point&, int);
extern template std::vector<double> gather_field(const Communicator&, const Field<double>&,
                                                 Executor&, const Point&, int);

}  // namespace stencil
