#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/valid_walk.hpp"
#include "kernels/cpu/walks.hpp"

namespace stencil::cpu {

/// Computes some outputs of a stencil with Method::fft by direct sums, on the calling thread's
/// team. The sums are over the valid points if the stencil has min_valid.
///
/// @param source  its first element is under the first tap of the target's first output
/// @param pieces  boxes of outputs of the target, none of them empty
/// @param widest  number of outputs along x of the widest box
template <class T>
void sum_pieces(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                FieldView<T> target, const std::vector<Box>& pieces, Index widest) {
  const int threads = int(std::min<std::size_t>(omp_get_max_threads(), pieces.size()));
  if (threads == 0) return;
  const Walk<T> walk = stencil.min_valid ? valid_walk(stencil, target.extent) : plain_walk(stencil);
  const auto sums = walk.sums({stencil, kernels, source, target, threads, false}, widest);
  const Scratch<T> memory(threads, sums->elements());
  const Scratch<const T*> rows(threads, sums->pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (const Box& piece : pieces) {
    const int thread = omp_get_thread_num();
    sums->sum(piece, memory.of_thread(thread), rows.of_thread(thread));
  }
}

}  // namespace stencil::cpu
