#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/split_row.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Taps as places in the input relative to an output's first input, row-major, without those that
/// do not meet their input.
///
/// @param place  elements from that input to the one that tap i of a row stands on
template <class T, class Place>
std::vector<Tap<T>> list_taps(const Stencil<T>& stencil, Index row_pitch, const Place& place) {
  std::vector<Tap<T>> list;
  for (Index j = 0; j < stencil.height; ++j) {
    for (Index i = 0; i < stencil.width; ++i) {
      const T value = stencil.taps[j * stencil.width + i];
      if (value != 0 || stencil.multiply_zeros) list.push_back({j * row_pitch + place(i), value});
    }
  }
  return list;
}

/// Rows of outputs that share a set of split rows.
constexpr Index split_group = 4;
/// Outputs that are summed over valid points at once if a point is missing among their inputs.
constexpr Index valid_segment = 256;

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
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) * double(stencil.taps.size()))),
        cut_(target.extent, cached_panel(rows_in_cache(), sizeof(T)),
             shares_rows() ? stencil.height - 1 : 0, threads_),
        split_(stencil.stride[1], stencil.width, cut_.panel(), sizeof(T)),
        taps_(splits()
                  ? list_taps(stencil, split_.size(), [&](Index i) { return split_.offset(i); })
                  : list_taps(stencil, source.row_pitch, [](Index i) { return i; })) {}

  void run() const {
    const Index split = splits() ? split_rows() * split_.size() : 0;
    const Scratch<T> memory(threads_,
                            split + sweep_state(stencil_.height, cut_.panel()) + 3 * valid_segment);
    const Scratch<const T*> rows(threads_,
                                 std::max<Index>(most_sweep, stencil_.height + most_rows));
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const int thread = omp_get_thread_num();
      const Box piece = cut_.piece(n);
      if (weights_.wanted) {
        over_valid(piece, rows.of_thread(thread), memory.of_thread(thread));
      } else {
        sum(piece, rows.of_thread(thread), memory.of_thread(thread));
      }
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  /// Plain sums of a piece.
  void sum(const Box& piece, const T** rows, T* memory) const {
    if (is_line()) {
      in_lines(piece, rows);
    } else if (worth_a_sweep(piece)) {
      in_sweeps(piece, rows, memory);
    } else if (all_taps() && shares_rows()) {
      in_groups_of_rows(piece, rows);
    } else {
      for_rows(piece, memory, [&](Index y, const T* inputs) {
        kernels_.sum_row(taps_.data(), Index(taps_.size()), inputs, 1, stream_,
                         outputs_of(piece, y), piece.extent()[2]);
      });
    }
  }

  /// Rows of inputs that a piece wants to find in the cache when it comes back to them.
  Index rows_in_cache() const {
    if (splits()) return split_rows() * std::min(stencil_.stride[1], stencil_.width);
    const Index looked_at = weights_.wanted ? std::min<Index>(most_sweep, target_.extent[1]) : 1;
    return stencil_.height - 1 + looked_at;
  }

  bool splits() const {
    return stencil_.stride[1] > 1;
  }
  /// Rows of inputs that one group of outputs reads.
  Index split_rows() const {
    return (split_group - 1) * std::min(stencil_.stride[0], stencil_.height) + stencil_.height;
  }

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

  /// Calls `sum(y, inputs)` for every row of outputs; taps_ are places relative to the inputs.
  template <class Sum>
  void for_rows(const Box& piece, T* memory, const Sum& sum) const {
    if (!splits()) {
      for (Index y = piece.first[1]; y < piece.last[1]; ++y) sum(y, inputs_of(piece, y));
      return;
    }
    const Index inputs = inputs_along_x(piece), height = stencil_.height;
    const Index step = stencil_.stride[0], apart = std::min(step, height);
    for (Index y = piece.first[1]; y < piece.last[1]; y += split_group) {
      const Index group = std::min(split_group, piece.last[1] - y);
      for (Index r = 0; r < (group - 1) * apart + height; ++r) {
        // rows between two outputs that neither reads are left out
        const Index row = apart < height ? r : r / height * step + r % height;
        kernels_.split_row(inputs_of(piece, y) + row * source_.row_pitch, inputs,
                           stencil_.stride[1], split_.parts(), memory + r * split_.size(),
                           split_.pitch());
      }
      for (Index k = 0; k < group; ++k) sum(y + k, memory + k * apart * split_.size());
    }
  }

  Index inputs_along_x(const Box& piece) const {
    return (piece.extent()[2] - 1) * stencil_.stride[1] + stencil_.width;
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

  /// Whether all inputs of a piece of outputs are finite.
  bool is_whole(const Box& piece) const {
    const Index rows = (piece.extent()[1] - 1) * stencil_.stride[0] + stencil_.height;
    const T* const first = inputs_of(piece, piece.first[1]);
    for (Index r = 0; r < rows; ++r)
      if (!kernels_.all_finite(first + r * source_.row_pitch, inputs_along_x(piece))) return false;
    return true;
  }

  /// Where nothing is missing the plain sum has the same bits, and the walks for it are faster: a
  /// few rows are looked through, which brings them into the cache for the sums that follow.
  void over_valid(const Box& piece, const T** rows, T* memory) const {
    for (Index y = piece.first[1]; y < piece.last[1]; y += most_sweep) {
      Box part = piece;
      part.set(y_axis, {y, std::min(y + most_sweep, piece.last[1])});
      if (weights_.keep_whole() && is_whole(part)) {
        sum(part, rows, memory);
      } else {
        for_rows(part, memory, [&](Index row, const T* inputs) {
          for (Index x = part.first[2]; x < part.last[2]; x += valid_segment) {
            Box segment = part;
            segment.set(y_axis, {row, row + 1});
            segment.set(x_axis, {x, std::min(x + valid_segment, part.last[2])});
            sum_segment(segment, inputs + (x - part.first[2]),
                        memory + (splits() ? split_rows() * split_.size() : 0));
          }
        });
      }
    }
  }

  /// One part of one row.
  void sum_segment(const Box& segment, const T* inputs, T* num) const {
    const Index n = segment.extent()[2], count = Index(taps_.size());
    T* const target = outputs_of(segment, segment.first[1]);
    if (weights_.keep_whole() && is_whole(segment))
      return kernels_.sum_row(taps_.data(), count, inputs, 1, stream_, target, n);
    T* const den = num + valid_segment;
    T* const weight = weights_.mixed ? den + valid_segment : nullptr;
    kernels_.sum_valid_row(taps_.data(), count, inputs, 1, num, den, weight, n);
    kernels_.rescale_row(num, den, weight, weights_.total, weights_.threshold, target, n);
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  Weights<T> weights_;
  bool stream_;
  int threads_;
  WorkCut cut_;
  SplitRow split_;
  std::vector<Tap<T>> taps_;
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
