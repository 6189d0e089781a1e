#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Whether column_walk does it: separable masks and tall single columns without strides.
template <class T>
bool can_walk_columns(const Stencil<T>& stencil);

/// Rows and columns in one walk: each thread keeps the row sums that the columns of some rows of
/// outputs read in a ring of rows that stays in the cache, so that the input is read once and the
/// output written once. @pre can_walk_columns
template <class T>
Walk<T> column_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
