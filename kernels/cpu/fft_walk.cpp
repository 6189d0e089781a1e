#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"

namespace stencil::cpu {
namespace {

/// Overlap-save over all lines of a view, along x or along y.
template <class T>
class FftWalk {
 public:
  FftWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
          FieldView<T> target, const Anchor& anchor)
      : stencil_(stencil),
        plan_(*stencil.fft),
        kernels_(kernels),
        source_(source),
        target_(target),
        along_x_(stencil.height == 1),
        stride_(stencil.stride[along_x_ ? 1 : 0]),
        outputs_{anchor.first_output,
                 anchor.first_output + target.extent[along_x_ ? x_axis : y_axis]},
        axis_outputs_(anchor.axis_outputs > 0 ? anchor.axis_outputs : outputs_.last),
        pairs_(plan_.blocks.pairs(outputs_, stride_)),
        tables_{plan_.blocks.points,       plan_.blocks.outputs(), plan_.radices.data(),
                int(plan_.radices.size()), plan_.twiddles.data(),  plan_.spectrum.data()} {
    for (Index k = 0; k < Index(stencil.taps.size()); ++k)
      if (stencil.taps[k] != 0 || stencil.multiply_zeros)
        taps_.push_back({k * (along_x_ ? 1 : source.row_pitch), stencil.taps[k]});
  }

  void run() const {
    const int lanes = kernels_.fft_lanes;
    const Index lines = points(target_.extent) / outputs_.extent();
    const Index works = lines * pairs_.extent();
    const int threads = int(std::min<Index>(omp_get_max_threads(), (works + lanes - 1) / lanes));
    const Scratch<T> tiles(threads, fft_tile(plan_.blocks.points, lanes));
    const Scratch<T> dense(threads, stride_ > 1 ? lanes * plan_.blocks.pair() : 0);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index first = 0; first < works; first += lanes) {
      const int thread = omp_get_thread_num();
      group(first, std::min(works, first + lanes), tiles.of_thread(thread),
            dense.of_thread(thread));
    }
  }

 private:
  /// One pair of one line.
  struct Work {
    Index b, across;   ///< batch, and the row or column
    Index begin;       ///< output before striding with which the pair begins
    Interval outputs;  ///< strided outputs of the view in it, of the whole axis
  };

  /// Pairs of one row follow each other, as columns of one pair do.
  Work work(Index number) const {
    const Index across = target_.extent[along_x_ ? y_axis : x_axis];
    Work result{};
    Index pair = 0;
    if (along_x_) {
      pair = number % pairs_.extent();
      result.across = number / pairs_.extent() % across;
    } else {
      result.across = number % across;
      pair = number / across % pairs_.extent();
    }
    result.b = number / across / pairs_.extent();
    result.begin = (pairs_.first + pair) * plan_.blocks.pair();
    const auto from = [&](Index dense) { return (dense + stride_ - 1) / stride_; };
    result.outputs =
        intersect(outputs_, {from(result.begin), from(result.begin + plan_.blocks.pair())});
    return result;
  }

  /// The input that is `position` behind the first one of the pair.
  const T* input(const Work& w, Index position) const {
    const Index along = w.begin - pairs_.first * plan_.blocks.pair() + position;
    const Index across = w.across * stencil_.stride[along_x_ ? 0 : 1];
    return along_x_ ? &source_.at(w.b, across, along) : &source_.at(w.b, along, across);
  }
  T* output(const Work& w, Index o) const {
    const Index along = o - outputs_.first;
    return along_x_ ? &target_.at(w.b, w.across, along) : &target_.at(w.b, along, w.across);
  }
  Index target_step() const {
    return along_x_ ? 1 : target_.row_pitch;
  }

  void group(Index first, Index last, T* tile, T* dense) const {
    FftLane<T> lanes[most_fft_lanes] = {};
    const Index world = (axis_outputs_ - 1) * stride_ + plan_.blocks.width;
    for (Index n = first; n < last; ++n) {
      const Work w = work(n);
      FftLane<T>& lane = lanes[n - first];
      lane.source = input(w, 0);
      lane.inputs = std::min(plan_.blocks.reach(), world - w.begin);
      lane.first = w.outputs.first * stride_ - w.begin;
      lane.last = w.outputs.empty() ? lane.first : (w.outputs.last - 1) * stride_ + 1 - w.begin;
      lane.target =
          stride_ == 1 ? output(w, w.outputs.first) : dense + (n - first) * plan_.blocks.pair();
    }
    const Index source_step = along_x_ ? 1 : source_.row_pitch;
    const unsigned bad = kernels_.convolve_pairs(tables_, lanes, source_step,
                                                 stride_ == 1 ? target_step() : 1, tile);
    if (stride_ > 1) pick(first, last, dense);
    for (Index n = first; n < last; ++n)
      if ((bad >> (n - first) & 1) != 0) sum_directly(work(n));
  }

  /// Every `stride`-th output of those before striding.
  void pick(Index first, Index last, const T* dense) const {
    for (Index n = first; n < last; ++n) {
      const Work w = work(n);
      const T* from = dense + (n - first) * plan_.blocks.pair();
      for (Index o = w.outputs.first; o < w.outputs.last; ++o)
        *output(w, o) = from[(o - w.outputs.first) * stride_];
    }
  }

  /// NaN, Inf and numbers whose transform overflows: as IEEE arithmetic has it, tap by tap.
  void sum_directly(const Work& w) const {
    if (w.outputs.empty()) return;
    const T* from = input(w, w.outputs.first * stride_ - w.begin);
    if (along_x_) {
      kernels_.sum_row(taps_.data(), Index(taps_.size()), from, stride_, false,
                       output(w, w.outputs.first), w.outputs.extent());
      return;
    }
    for (Index o = w.outputs.first; o < w.outputs.last; ++o) {
      kernels_.sum_row(taps_.data(), Index(taps_.size()), from, 1, false, output(w, o), 1);
      from += stride_ * source_.row_pitch;
    }
  }

  const Stencil<T>& stencil_;
  const FftPlan<T>& plan_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool along_x_;
  Index stride_;
  Interval outputs_;  ///< of the view, counted along the whole axis
  Index axis_outputs_;
  Interval pairs_;
  FftTables<T> tables_;
  std::vector<Tap<T>> taps_;
};

}  // namespace

template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor) {
  FftWalk<T>(stencil, kernels, source, target, anchor).run();
}

template void walk_fft(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                       FieldView<float>, const Anchor&);
template void walk_fft(const Stencil<double>&, const RowKernels<double>&, FieldView<const double>,
                       FieldView<double>, const Anchor&);

}  // namespace stencil::cpu
