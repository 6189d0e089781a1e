#pragma once

namespace stencil {

/// Lets this thread run on all processors of the rank. If OpenMP binds threads to processors, a new
/// thread would otherwise stay on the processor of the thread that starts it.
void leave_place();

}  // namespace stencil
