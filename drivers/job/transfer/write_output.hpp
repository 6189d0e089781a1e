#pragma once

#include <vector>

#include "drivers/job/transfer/kept_points.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Writes the owned points of a field. Points on a device are copied to the host in pieces.
/// Collective.
/// @param boxes   the boxes of this rank, which are copied one by one
/// @param kept    marks missing points in the host copies of points on a device; may be null
/// @throws Error  the same error on all ranks
template <class T>
void write_output(const Communicator& communicator, const std::vector<Box>& boxes,
                  const Field<T>& field, Executor& executor, OutputFile& output,
                  const KeptPoints* kept = nullptr);

}  // namespace stencil
