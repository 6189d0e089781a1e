#pragma once

namespace stencil {

/// Lets this thread run on all processors of the rank: where OpenMP binds threads to places, a new
/// one would stay in the place of the thread that starts it.
void leave_place();

}  // namespace stencil
