#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/shifted_line.hpp"
#include "kernels/cpu/vector/sliding_lines.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// One row, or a part of it, for any mask and length.
template <class T>
void plain_line(const T* source, const T* taps, Index width, bool stream, T* target, Index n) {
  const Index lead = stream ? elements_to_line(target, n) : -1;
  cover_row<T, 8>(n, lead, [=]<class P, int vectors>(Index x, bool streamed) {
    typename P::Vector sum[vectors] = {};
    for (Index i = 0; i < width; ++i) {
      const auto tap = P::splat(taps[i]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        sum[v] = P::fused(tap, P::load(source + x + i + v * P::lanes), sum[v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) put<P>(target + x + v * P::lanes, sum[v], streamed);
  });
}

/// All rows, by the way that suits the mask: shifted vectors for few taps, sliding sums for many.
template <class T>
class LineSummer {
  using P = Pack<T>;
  using Shifted = ShiftedLine<T>;

 public:
  explicit LineSummer(const LineSums<T>& lines) : lines_(lines), cut_(lines.width) {}

  void run() const {
    const Index w = lines_.width;
    if (lines_.n < 2 * P::lanes || w <= (Shifted::worthwhile ? 1 : P::lanes)) {
      for (Index y = 0; y < lines_.count; ++y) plain(y, 0, lines_.n);
    } else if (Shifted::worthwhile && w <= Shifted::most_taps) {
      for (Index y = 0; y < lines_.count; ++y) shifted(y);
    } else {
      slid();
    }
  }

 private:
  T* target(Index y) const { return lines_.target + y * lines_.pitch; }

  void plain(Index y, Index begin, Index end) const {
    plain_line(lines_.rows[y] + begin, lines_.taps, lines_.width, lines_.stream, target(y) + begin,
               end - begin);
  }

  /// The rest of a row from x on; at least one vector, which may overlap outputs already computed.
  void end_of_row(Index y, Index x) const {
    if (x == lines_.n) return;
    const Index begin = x + P::lanes <= lines_.n ? x : lines_.n - P::lanes;
    plain(y, begin, lines_.n);
  }

  /// First output of a row that whole vectors may go to; those before it are summed here.
  Index begin_of_row(Index y) const {
    const Index lead = lines_.stream ? elements_to_line(target(y), lines_.n) : -1;
    if (lead > 0) plain(y, 0, P::lanes);
    return lead > 0 ? lead : 0;
  }
  bool streams(Index y, Index x) const {
    return lines_.stream && elements_to_line(target(y) + x, lines_.n - x) == 0;
  }

  void shifted(Index y) const {
    const Shifted line{lines_.taps, lines_.width, lines_.ahead};
    const Index inputs = lines_.n + lines_.width - 1, reads = Shifted::reads(lines_.width);
    Index x = begin_of_row(y);
    const T* const from = lines_.rows[y];
    T* const to = target(y);
    const bool stream = streams(y, x);
    for (; x + Shifted::wide <= lines_.n && x + reads <= inputs; x += Shifted::wide) {
      line.block(from + x, to + x, stream);
    }
    end_of_row(y, x);
  }

  /// Several rows side by side; the rows that are left over in segments side by side.
  void slid() const {
    const bool aligned_alike =
        !lines_.stream || lines_.pitch * Index(sizeof(T)) % vector_bytes == 0;
    Index y = 0;
    for (; y + cut_.streams <= lines_.count && aligned_alike; y += cut_.streams) slid_rows(y);
    for (; y < lines_.count; ++y) slid_segments(y);
  }

  Slide<T> slide_at(Index y, Index x) const {
    Slide<T> slide{};
    slide.taps = lines_.taps;
    slide.width = lines_.width;
    slide.finished = true;
    slide.stream = streams(y, x);
    slide.ahead = lines_.ahead;
    return slide;
  }

  void slid_rows(Index y) const {
    Index x = 0;
    for (int s = 0; s < cut_.streams; ++s) x = begin_of_row(y + s);
    Slide<T> slide = slide_at(y, x);
    slide.blocks = (lines_.n - x) / P::lanes;
    const Index next = y + cut_.streams;
    slide.ahead = next < lines_.count ? lines_.rows[next] - lines_.rows[y] : 0;
    for (int s = 0; s < cut_.streams; ++s) {
      slide.source[s] = lines_.rows[y + s] + x;
      slide.leaving[s] = target(y + s) + x;
    }
    slide_pieces(cut_, slide);
    for (int s = 0; s < cut_.streams; ++s) end_of_row(y + s, x + slide.blocks * P::lanes);
  }

  void slid_segments(Index y) const {
    const Index x = begin_of_row(y);
    Slide<T> slide = slide_at(y, x);
    slide.blocks = (lines_.n - x) / P::lanes / cut_.streams;
    if (slide.blocks == 0) return end_of_row(y, x);
    const Index segment = slide.blocks * P::lanes;
    for (int s = 0; s < cut_.streams; ++s) {
      slide.source[s] = lines_.rows[y] + x + s * segment;
      slide.leaving[s] = target(y) + x + s * segment;
    }
    slide_pieces(cut_, slide);
    end_of_row(y, x + cut_.streams * segment);
  }

  const LineSums<T>& lines_;
  SlideCut<T> cut_;
};

/// RowKernels::sum_lines.
template <class T>
void sum_lines(const LineSums<T>& lines) {
  LineSummer<T>(lines).run();
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
