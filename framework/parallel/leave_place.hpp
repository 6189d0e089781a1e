#pragma once

namespace stencil {

/// Allows this thread to run on all processors of the rank. If OpenMP binds threads to processors,
/// a new thread would otherwise stay on the processor of the thread that started it.
void leave_place();

}  // namespace stencil
