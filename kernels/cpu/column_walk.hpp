#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Whether column_walk can sum this stencil: separable masks and single columns of many taps, both
/// without strides.
template <class T>
bool can_walk_columns(const Stencil<T>& stencil);

/// Row pass and column pass in one walk: each thread keeps the row sums that its current rows of
/// outputs need in a ring of rows that stays in the cache, so that every input is read once and
/// every output is written once. @pre can_walk_columns
template <class T>
Walk<T> column_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
