#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Returns whether column_walk supports this stencil: separable masks, and single columns of many
/// taps, both without strides.
template <class T>
bool can_walk_columns(const Stencil<T>& stencil);

/// Computes the row pass and the column pass together. Each thread keeps the row sums of the input
/// rows for its current rows of outputs in a ring that stays in the cache. Thus every input is read
/// once and every output is written once.
/// @pre can_walk_columns
template <class T>
Walk<T> column_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
