#pragma once

#include <vector>

#include "drivers/job/transfer/kept_points.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Writes the owned points of a field; those on a device are copied in pieces. Collective.
/// @param boxes   the boxes of this rank, in which they are copied
/// @param kept    marks missing points in the copies of points on a device; null: it does not
/// @throws Error  agreed on by all ranks
template <class T>
void write_output(const Communicator& communicator, const std::vector<Box>& boxes,
                  const Field<T>& field, Executor& executor, OutputFile& output,
                  const KeptPoints* kept = nullptr);

}  // namespace stencil
