#pragma once

namespace stencil::cuda {

/// Address of a function of CUDA's driver API, as of CUDA 12.0. It is queried from the runtime, so
/// that programs do not link the driver's library, which machines without a GPU do not have.
///
/// @throws MachineError  the driver has no function of this name
void* driver_entry(const char* name);

}  // namespace stencil::cuda
