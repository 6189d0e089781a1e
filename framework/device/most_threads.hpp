#pragma once

namespace stencil {

/// Upper limit on the number of threads: four for each processor of this machine. More threads are
/// never faster, and memory for the stacks of very many threads may not be available.
int most_threads();

}  // namespace stencil
