#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Taps as places in the input relative to an output's first input, row-major, without those that
/// do not meet their input.
template <class T>
std::vector<Tap<T>> list_taps(const Stencil<T>& stencil, Index row_pitch) {
  std::vector<Tap<T>> list;
  for (Index j = 0; j < stencil.height; ++j) {
    for (Index i = 0; i < stencil.width; ++i) {
      const T value = stencil.taps[j * stencil.width + i];
      if (value != 0 || stencil.multiply_zeros) list.push_back({j * row_pitch + i, value});
    }
  }
  return list;
}

template <class T>
class DirectWalk {
 public:
  DirectWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
             FieldView<T> target)
      : stencil_(stencil),
        kernels_(kernels),
        source_(source),
        target_(target),
        weights_(make_weights(stencil)),
        taps_(list_taps(stencil, source.row_pitch)),
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) * double(taps_.size()))),
        cut_(target.extent, cached_panel(stencil.height, sizeof(T)),
             shares_rows() ? stencil.height - 1 : 0, threads_) {}

  void run() const {
    const Scratch<T> sums(
        threads_, weights_.wanted ? 3 * cut_.panel() : sweep_state(stencil_.height, cut_.panel()));
    const Scratch<const T*> rows(threads_,
                                 std::max<Index>(most_sweep, stencil_.height + most_rows));
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const int thread = omp_get_thread_num();
      const Box piece = cut_.piece(n);
      if (weights_.wanted) {
        over_valid(piece, sums.of_thread(thread));
      } else if (is_line()) {
        in_lines(piece, rows.of_thread(thread));
      } else if (worth_a_sweep(piece)) {
        in_sweeps(piece, rows.of_thread(thread), sums.of_thread(thread));
      } else if (all_taps() && shares_rows()) {
        in_groups_of_rows(piece, rows.of_thread(thread));
      } else {
        row_by_row(piece);
      }
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  /// Whether every output is a sum over neighbouring points of one row.
  bool is_line() const {
    return stencil_.height == 1 && stencil_.stride[1] == 1 && all_taps();
  }

  /// Whether neighbouring output rows read the same inputs.
  bool shares_rows() const {
    return stencil_.height > 1 && stencil_.stride == std::array<Index, 2>{1, 1};
  }

  bool all_taps() const {
    return taps_.size() == stencil_.taps.size();
  }

  /// A sweep begins with height - 1 rows of inputs that end no sum.
  bool worth_a_sweep(const Box& piece) const {
    return shares_rows() && piece.extent()[1] >= 4 * (stencil_.height - 1);
  }

  const T* inputs_of(const Box& piece, Index y) const {
    return &source_.at(piece.first[0], y * stencil_.stride[0], piece.first[2] * stencil_.stride[1]);
  }
  T* outputs_of(const Box& piece, Index y) const {
    return &target_.at(piece.first[0], y, piece.first[2]);
  }

  void row_by_row(const Box& piece) const {
    for (Index y = piece.first[1]; y < piece.last[1]; ++y) {
      kernels_.sum_row(taps_.data(), Index(taps_.size()), inputs_of(piece, y), stencil_.stride[1],
                       stream_, outputs_of(piece, y), piece.extent()[2]);
    }
  }

  void in_lines(const Box& piece, const T** rows) const {
    constexpr Index next_page = 4096 / Index(sizeof(T));  // where the hardware stops fetching
    for (Index y = piece.first[1]; y < piece.last[1]; y += most_sweep) {
      const Index count = std::min<Index>(most_sweep, piece.last[1] - y);
      for (Index r = 0; r < count; ++r) rows[r] = inputs_of(piece, y + r);
      kernels_.sum_lines({.rows = rows,
                          .count = count,
                          .taps = stencil_.taps.data(),
                          .width = stencil_.width,
                          .target = outputs_of(piece, y),
                          .pitch = target_.row_pitch,
                          .n = piece.extent()[2],
                          .stream = stream_,
                          .ahead = next_page});
    }
  }

  void in_groups_of_rows(const Box& piece, const T** rows) const {
    for (Index y = piece.first[1]; y < piece.last[1];) {
      const Index group = std::min({Index(most_rows), stencil_.height, piece.last[1] - y});
      for (Index k = 0; k < group + stencil_.height - 1; ++k) rows[k] = inputs_of(piece, y + k);
      kernels_.sum_rows(rows, stencil_.taps.data(), stencil_.height, stencil_.width, false,
                        int(group), stream_, outputs_of(piece, y), target_.row_pitch,
                        piece.extent()[2]);
      y += group;
    }
  }

  void in_sweeps(const Box& piece, const T** rows, T* state) const {
    const Index begin = piece.first[1], end = piece.last[1] + stencil_.height - 1;
    for (Index next = begin; next < end; next += most_sweep) {
      const Index count = std::min<Index>(most_sweep, end - next);
      for (Index r = 0; r < count; ++r) rows[r] = inputs_of(piece, next + r);
      const Index first = std::clamp<Index>(begin + stencil_.height - 1 - next, 0, count);
      const Index y = next + first - (stencil_.height - 1);
      kernels_.sweep_rows({.rows = rows,
                           .count = count,
                           .taps = stencil_.taps.data(),
                           .height = stencil_.height,
                           .width = stencil_.width,
                           .skip_zeros = !all_taps(),
                           .begins = next == begin,
                           .state = state,
                           .target = outputs_of(piece, y),
                           .first = first,
                           .pitch = target_.row_pitch,
                           .n = piece.extent()[2],
                           .stream = stream_,
                           .ahead = count * source_.row_pitch});
    }
  }

  void over_valid(const Box& piece, T* num) const {
    T* den = num + cut_.panel();
    T* weight = weights_.mixed ? den + cut_.panel() : nullptr;
    const Index n = piece.extent()[2];
    for (Index y = piece.first[1]; y < piece.last[1]; ++y) {
      kernels_.sum_valid_row(taps_.data(), Index(taps_.size()), inputs_of(piece, y),
                             stencil_.stride[1], num, den, weight, n);
      kernels_.rescale_row(num, den, weight, weights_.total, weights_.threshold,
                           outputs_of(piece, y), n);
    }
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  Weights<T> weights_;
  std::vector<Tap<T>> taps_;
  bool stream_;
  int threads_;
  WorkCut cut_;
};

}  // namespace

template <class T>
void walk_direct(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target) {
  DirectWalk<T>(stencil, kernels, source, target).run();
}

template void walk_direct(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                          FieldView<float>);
template void walk_direct(const Stencil<double>&, const RowKernels<double>&,
                          FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
