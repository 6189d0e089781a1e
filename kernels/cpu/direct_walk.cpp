#include "kernels/cpu/direct_walk.hpp"

#include <algorithm>

#include "kernels/cpu/split_row.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Lists the taps that are not skipped, in row-major order, with their offsets from the first input
/// of an output.
///
/// @param place  place(i) returns the number of elements from that first input to the input under
///               tap i of its row
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

/// Number of rows of outputs that use the same split rows.
constexpr Index split_group = 4;

/// Number of rows of inputs that a group of split_group rows of outputs reads.
template <class T>
Index split_rows(const Stencil<T>& stencil) {
  return (split_group - 1) * std::min(stencil.stride[0], stencil.height) + stencil.height;
}

/// Returns whether neighbouring output rows read the same inputs.
template <class T>
bool shares_rows(const Stencil<T>& stencil) {
  return stencil.height > 1 && stencil.stride == std::array<Index, 2>{1, 1};
}

template <class T>
class DirectPieces : public PieceSums<T> {
 public:
  DirectPieces(const Work<T>& work, Index panel)
      : stencil_(work.stencil),
        kernels_(work.kernels),
        source_(work.source),
        target_(work.target),
        stream_(work.stream),
        panel_(panel),
        split_(stencil_.stride[1], stencil_.width, panel, sizeof(T)),
        taps_(splits()
                  ? list_taps(stencil_, split_.size(), [&](Index i) { return split_.offset(i); })
                  : list_taps(stencil_, source_.row_pitch, [](Index i) { return i; })) {}

  Index elements() const override {
    return splits() ? split_rows(stencil_) * split_.size() : sweep_state(stencil_.height, panel_);
  }
  Index pointers() const override {
    return std::max<Index>(most_sweep, stencil_.height + most_rows);
  }

  void sum(const Box& piece, T* memory, const T** rows) const override {
    if (is_line()) {
      in_lines(piece, rows);
    } else if (worth_a_sweep(piece)) {
      in_sweeps(piece, rows, memory);
    } else if (all_taps() && shares_rows(stencil_)) {
      in_groups_of_rows(piece, rows);
    } else {
      for_rows(piece, memory, [&](Index y, const T* inputs) {
        kernels_.sum_row(taps_.data(), Index(taps_.size()), inputs, 1, stream_,
                         outputs_of(piece, y), piece.extent()[2]);
      });
    }
  }

 private:
  bool splits() const { return stencil_.stride[1] > 1; }

  /// Returns whether every output is a sum over neighbouring points of one row.
  bool is_line() const { return stencil_.height == 1 && stencil_.stride[1] == 1 && all_taps(); }

  bool all_taps() const { return taps_.size() == stencil_.taps.size(); }

  /// Returns whether a sweep down the piece is efficient. The first height - 1 rows of inputs of a
  /// sweep complete no output, so the piece must have many more rows.
  bool worth_a_sweep(const Box& piece) const {
    return shares_rows(stencil_) && piece.extent()[1] >= 4 * (stencil_.height - 1);
  }

  const T* inputs_of(const Box& piece, Index y) const {
    return &source_.at(piece.first[0], y * stencil_.stride[0], piece.first[2] * stencil_.stride[1]);
  }
  T* outputs_of(const Box& piece, Index y) const {
    return &target_.at(piece.first[0], y, piece.first[2]);
  }

  /// Calls `sum(y, inputs)` for every row of outputs. The offsets of taps_ are relative to
  /// `inputs`.
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
        // if the stride is larger than the mask, the rows of inputs that no output reads are
        // skipped
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
    constexpr Index next_page = 4096 / Index(sizeof(T));  // hardware prefetching stops at the end
                                                          // of a page
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
      kernels_.sum_rows({.rows = rows,
                         .count = group,
                         .taps = stencil_.taps.data(),
                         .depth = 1,
                         .height = stencil_.height,
                         .width = stencil_.width,
                         .skip_zeros = false,
                         .target = outputs_of(piece, y),
                         .pitch = target_.row_pitch,
                         .n = piece.extent()[2],
                         .stream = stream_});
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

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool stream_;
  Index panel_;
  SplitRow split_;
  std::vector<Tap<T>> taps_;
};

}  // namespace

template <class T>
Walk<T> direct_walk(const Stencil<T>& stencil) {
  // rows of inputs that must stay in the cache until the next row of outputs reads them again
  const Index rows = stencil.stride[1] > 1
                         ? split_rows(stencil) * std::min(stencil.stride[1], stencil.width)
                         : stencil.height;
  return {cached_panel(rows, sizeof(T)), shares_rows(stencil) ? stencil.height - 1 : 0,
          [](const Work<T>& work, Index panel) -> std::unique_ptr<PieceSums<T>> {
            return std::make_unique<DirectPieces<T>>(work, panel);
          }};
}

template Walk<float> direct_walk(const Stencil<float>&);
template Walk<double> direct_walk(const Stencil<double>&);

}  // namespace stencil::cpu
