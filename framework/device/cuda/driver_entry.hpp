#pragma once

namespace stencil::cuda {

/// An operation of CUDA's driver, as of CUDA 12.0, asked of the runtime so that no program needs
/// the driver's library to start: machines without a GPU do not have it.
///
/// @throws MachineError  the driver has none of that name
void* driver_entry(const char* name);

}  // namespace stencil::cuda
