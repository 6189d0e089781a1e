#pragma once

#include "drivers/plan.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output_file.hpp"

namespace stencil {

/// What a rank writes at a time where its points come from a GPU: boxes of about plan.piece_bytes.
std::vector<Box> output_boxes(const Plan& plan, int rank);

/// Writes the owned points of a field; from a device they travel piece after piece. Collective.
/// @throws Error  agreed on by all ranks
template <class T>
void write_output(const Communicator& communicator, const Plan& plan, const Field<T>& field,
                  Executor& executor, OutputFile& output);

}  // namespace stencil
