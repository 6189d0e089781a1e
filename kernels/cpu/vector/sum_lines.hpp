#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/shifted_line.hpp"
#include "kernels/cpu/vector/sliding_lines.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Sums a row, or a part of it, for any mask and length.
template <class T>
void plain_line(const T* source, const T* taps, Index width, bool stream, T* target, Index n) {
  const StreamedPart part = stream ? streamed_part(target, n) : StreamedPart{};
  cover_row<T, 8>(n, part, [=]<class P, int vectors>(Index x, bool streamed) {
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

/// Sums all rows by the method that suits the mask: shifted vectors for few taps, sliding sums for
/// many.
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

  /// Sums the rest of a row from x on: at least one vector, which may overlap outputs already
  /// computed.
  void end_of_row(Index y, Index x) const {
    if (x == lines_.n) return;
    const Index begin = x + P::lanes <= lines_.n ? x : lines_.n - P::lanes;
    plain(y, begin, lines_.n);
  }

  StreamedPart part_of(Index y) const {
    return lines_.stream ? streamed_part(target(y), lines_.n) : StreamedPart{};
  }
  /// Computes the elements of a row that precede the part that is computed in whole blocks, and
  /// returns this part.
  StreamedPart begin_row(Index y, const StreamedPart& streamed) const {
    if (streamed.empty()) return {0, lines_.n};
    if (streamed.from > 0) plain(y, 0, streamed.from);
    return streamed;
  }

  void shifted(Index y) const {
    const Shifted line{lines_.taps, lines_.width, lines_.ahead};
    const Index inputs = lines_.n + lines_.width - 1, reads = Shifted::reads(lines_.width);
    const StreamedPart streamed = part_of(y), all = begin_row(y, streamed);
    const T* const from = lines_.rows[y];
    T* const to = target(y);
    Index x = all.from;
    for (; x + Shifted::wide <= all.to && x + reads <= inputs; x += Shifted::wide) {
      line.block(from + x, to + x, !streamed.empty());
    }
    end_of_row(y, x);
  }

  /// Slides the taps along several rows at the same time, then along several segments of each
  /// remaining row.
  void slid() const {
    const bool aligned_alike = !lines_.stream || lines_.pitch * Index(sizeof(T)) % 64 == 0;
    Index y = 0;
    for (; y + cut_.streams <= lines_.count && aligned_alike; y += cut_.streams) slid_rows(y);
    for (; y < lines_.count; ++y) slid_segments(y);
  }

  Slide<T> slide_of(bool stream) const {
    Slide<T> slide{};
    slide.taps = lines_.taps;
    slide.width = lines_.width;
    slide.finished = true;
    slide.stream = stream;
    slide.ahead = lines_.ahead;
    return slide;
  }

  void slid_rows(Index y) const {
    const StreamedPart streamed = part_of(y);  // the same for all rows
    StreamedPart all;
    for (int s = 0; s < cut_.streams; ++s) all = begin_row(y + s, streamed);
    const Index x = all.from;
    Slide<T> slide = slide_of(!streamed.empty());
    slide.blocks = (all.to - x) / P::lanes;
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
    const StreamedPart streamed = part_of(y), all = begin_row(y, streamed);
    const Index x = all.from;
    Slide<T> slide = slide_of(!streamed.empty());
    slide.blocks = (all.to - x) / P::lanes / cut_.streams;
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

/// Implements RowKernels::sum_lines.
template <class T>
void sum_lines(const LineSums<T>& lines) {
  LineSummer<T>(lines).run();
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
