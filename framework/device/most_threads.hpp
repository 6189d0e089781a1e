#pragma once

namespace stencil {

/// Upper limit on threads, four for each processor of this machine: more are never faster, and the
/// stack space to start very many would not suffice.
int most_threads();

}  // namespace stencil
