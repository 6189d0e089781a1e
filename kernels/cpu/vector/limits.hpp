#pragma once

#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Implements RowKernels::copy_aligned.
template <class T>
void copy_aligned(const T* source, T* target, Index n) {
  using P = Pack<T>;
  for (Index x = 0; x + P::lanes <= n; x += P::lanes) P::stream(target + x, P::load(source + x));
  finish_streaming();
}

/// Implements RowKernels::multiply_adds.
template <class T>
T multiply_adds(Index rounds, T factor) {
  using P = Pack<T>;
  constexpr int chains = 12;  // more than the latency times the number of multiply-add units
  const auto a = P::splat(factor), b = P::splat(T(1) - factor);
  typename P::Vector sum[chains];
  // with equal start values the compiler would merge all chains
  for (int k = 0; k < chains; ++k) sum[k] = P::splat(T(k) * factor);
  for (Index i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < chains; ++k) sum[k] = P::fused(sum[k], a, b);
  }
  T total = 0;
  for (int k = 0; k < chains; ++k) {
    T lanes[P::lanes];
    P::store(lanes, sum[k]);
    for (int lane = 0; lane < P::lanes; ++lane) total += lanes[lane];
  }
  return total;
}

/// Number of multiply-adds of one round.
template <class T>
constexpr Index adds_per_round = 12 * Pack<T>::lanes;

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
