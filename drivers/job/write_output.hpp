#pragma once

#include "drivers/plan/plan.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output_file.hpp"

namespace stencil {

/// Writes the owned points of a field; those on a device are copied in pieces. Collective.
/// @throws Error  agreed on by all ranks
template <class T>
void write_output(const Communicator& communicator, const Plan& plan, const Field<T>& field,
                  Executor& executor, OutputFile& output);

}  // namespace stencil
