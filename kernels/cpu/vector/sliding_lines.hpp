#pragma once

#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Arguments for sliding some adjacent taps of a mask along several streams of inputs at the same
/// time.
template <class T>
struct Slide {
  static constexpr int most_streams = 4;

  const T* source[most_streams];  ///< input under the first tap for each stream's first output
  const T* taps;
  Index width;
  const T* entering[most_streams];  ///< sums of the previous taps; if null, +0
  T* leaving[most_streams];
  Index blocks;   ///< number of vectors of outputs in each stream, at least 1
  bool finished;  ///< the sums are final results
  bool stream;    ///< use streaming stores
  Index ahead;
};

/// Slides `depth` sums per stream, for `(depth - 1) * lanes < width <= depth * lanes` taps.
///
/// The inputs at positions `p ... p + lanes - 1` are loaded once and added to all sums that need
/// them: the sum that began j vectors ago uses tap `p % lanes + j * lanes`. Thus every sum adds its
/// taps in ascending order, and a load, which usually crosses a cache line, is used for `depth`
/// sums. Sums of some outputs before the first and after the last output are also computed, and
/// discarded. No additional inputs are read for them.
template <class T, int streams, int depth>
struct Sliding {
  using P = Pack<T>;
  typename P::Vector sum[depth][streams] = {};

  /// Adds the inputs at positions `begin ... end - 1` of the current vector to the first `active`
  /// sums.
  template <int active>
  [[gnu::always_inline]] void add(const T* const* from, const T* taps, Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      typename P::Vector data[streams];
#pragma GCC unroll 4
      for (int s = 0; s < streams; ++s) {
        data[s] = P::load(from[s] + p);
        P::pin(data[s]);
      }
#pragma GCC unroll 12
      for (int j = 0; j < active; ++j) {
        const auto tap = P::splat(taps[p + j * P::lanes]);
#pragma GCC unroll 4
        for (int s = 0; s < streams; ++s) sum[j][s] = P::fused(tap, data[s], sum[j][s]);
      }
    }
  }

  [[gnu::always_inline]] void enter(const Slide<T>& slide, Index block) {
#pragma GCC unroll 12
    for (int j = depth - 1; j > 0; --j) {
#pragma GCC unroll 4
      for (int s = 0; s < streams; ++s) sum[j][s] = sum[j - 1][s];
    }
    const bool continued = slide.entering[0] != nullptr && block < slide.blocks;
#pragma GCC unroll 4
    for (int s = 0; s < streams; ++s)
      sum[0][s] = continued ? P::load(slide.entering[s] + block * P::lanes) : typename P::Vector{};
  }

  [[gnu::always_inline]] void leave(const Slide<T>& slide, Index block) const {
#pragma GCC unroll 4
    for (int s = 0; s < streams; ++s) {
      T* const to = slide.leaving[s] + block * P::lanes;
      const auto value = sum[depth - 1][s];
      if (!slide.finished) {
        P::store(to, value);
      } else {
        put<P>(to, value, slide.stream);
      }
    }
  }
};

template <class T, int streams, int depth>
void slide_along(const Slide<T>& slide) {
  using P = Pack<T>;
  const Index rest = slide.width - (depth - 1) * P::lanes;  // taps of the oldest sum
  const Index groups = slide.blocks + depth - 1;
  const T* const taps = slide.taps;
  const T* from[streams];
#pragma GCC unroll 4
  for (int s = 0; s < streams; ++s) from[s] = slide.source[s];
  Sliding<T, streams, depth> sums;
  for (Index g = 0; g < groups; ++g) {
    sums.enter(slide, g);
#pragma GCC unroll 4
    for (int s = 0; s < streams; ++s) __builtin_prefetch(from[s] + slide.ahead, 0, 3);
    sums.template add<depth>(from, taps, 0, rest);
    if (g + 1 < groups) sums.template add<depth - 1>(from, taps, rest, P::lanes);
    if (g >= depth - 1) sums.leave(slide, g - (depth - 1));
#pragma GCC unroll 4
    for (int s = 0; s < streams; ++s) from[s] += P::lanes;
  }
}

/// Largest number of sums per stream for which sums, inputs and one tap fit into the registers,
/// with four streams and with two.
constexpr int most_depth_of_4 = vector_registers == 32 ? 6 : 2;
constexpr int most_depth_of_2 = vector_registers == 32 ? 12 : 6;

template <class T>
using SlideFunction = void (*)(const Slide<T>&);

template <class T, int streams, int depth>
SlideFunction<T> slide_of(Index wanted) {
  if (wanted == depth) return slide_along<T, streams, depth>;
  if constexpr (depth > 1) return slide_of<T, streams, depth - 1>(wanted);
  return nullptr;
}

/// Division of a mask into pieces, each of which is slid along all inputs before the next one.
template <class T>
struct SlideCut {
  static constexpr Index lanes = Pack<T>::lanes;
  Index pieces = 1, depth, deeper = 0;  ///< the first `deeper` pieces have depth + 1 sums
  int streams;

  explicit SlideCut(Index width) {
    const Index vectors = (width + lanes - 1) / lanes;
    constexpr int most = 6;
    if (vectors > most_depth_of_2) pieces = (vectors + most - 1) / most;
    depth = vectors / pieces;
    deeper = vectors % pieces;
    streams = depth + (deeper > 0) <= most_depth_of_4 ? 4 : 2;
  }

  Index depth_of(Index piece) const { return depth + (piece < deeper); }
  SlideFunction<T> function_of(Index piece) const {
    return streams == 4 ? slide_of<T, 4, most_depth_of_4>(depth_of(piece))
                        : slide_of<T, 2, most_depth_of_2>(depth_of(piece));
  }
};

/// Slides all pieces of a mask along `cut.streams` streams. Partial sums are kept in a buffer in
/// the cache.
template <class T>
void slide_pieces(const SlideCut<T>& cut, Slide<T> slide) {
  constexpr Index lanes = Pack<T>::lanes;
  // vectors; some of the sums that are computed at both ends of a chunk are discarded
  constexpr Index chunk = 128;
  if (cut.pieces == 1) return cut.function_of(0)(slide);
  alignas(64) T buffer[Slide<T>::most_streams][chunk * lanes];
  for (Index begin = 0; begin < slide.blocks; begin += chunk) {
    Index done = 0;
    for (Index p = 0; p < cut.pieces; ++p) {
      const bool last = p + 1 == cut.pieces;
      Slide<T> piece = slide;
      piece.taps = slide.taps + done;
      piece.width = last ? slide.width - done : cut.depth_of(p) * lanes;
      piece.blocks = slide.blocks - begin < chunk ? slide.blocks - begin : chunk;
      piece.finished = last;
      for (int s = 0; s < cut.streams; ++s) {
        piece.source[s] = slide.source[s] + begin * lanes + done;
        piece.entering[s] = p == 0 ? nullptr : buffer[s];
        piece.leaving[s] = last ? slide.leaving[s] + begin * lanes : buffer[s];
      }
      cut.function_of(p)(piece);
      done += piece.width;
    }
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
