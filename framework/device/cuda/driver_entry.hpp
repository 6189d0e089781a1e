#pragma once

namespace stencil::cuda {

/// Returns the address of a function of CUDA's driver API, in the version of CUDA 12.0. The address
/// is queried from the runtime, so that programs do not link to the driver's library, which is
/// missing on machines without a GPU.
///
/// @throws MachineError  the driver has no function of this name
void* driver_entry(const char* name);

}  // namespace stencil::cuda
