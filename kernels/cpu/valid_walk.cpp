// Computes rescaled sums over the valid points with the walks that compute ordinary sums. The
// outputs are divided into parts. The inputs of a part are searched for missing points, which also
// loads them into the cache. If no point is missing, the ordinary sums have the right bits.
// Otherwise the part is divided into blocks, and the ordinary walks compute two sums for each
// block: of a copy of the inputs with 0 for missing points, and of a copy with 1 for valid and 0
// for missing points. The products of 0 and 1 with taps are exact, so the second sum adds the valid
// taps in the order of the walk.
#include "kernels/cpu/valid_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/weights.hpp"

namespace stencil::cpu {
namespace {

constexpr Index cache_bytes = 512 << 10;  // size of a part's inputs, and of a block's copies

/// Returns the stencil with the same taps that treats all points as valid. It has no tables for
/// transforms, so it is summed directly.
template <class T>
Stencil<T> plain(const Stencil<T>& stencil) {
  Stencil<T> result;
  result.method = stencil.method;
  result.multiply_zeros = stencil.multiply_zeros;
  result.height = stencil.height;
  result.width = stencil.width;
  result.taps = stencil.taps;
  result.terms = stencil.terms;
  result.column = stencil.column;
  result.row = stencil.row;
  result.stride = stencil.stride;
  return result;
}

template <class T>
Stencil<T> absolute(Stencil<T> stencil) {
  for (std::vector<T>* taps : {&stencil.taps, &stencil.column, &stencil.row})
    for (T& tap : *taps) tap = std::abs(tap);
  return stencil;
}

/// Number of rows or columns of inputs that `outputs` adjacent outputs read.
Index inputs_of(Index outputs, Index stride, Index taps) {
  return (outputs - 1) * stride + taps;
}

/// Number of rows of outputs of a part. The number is large, because each part computes some row
/// sums of the previous part again. If two rows of outputs share no inputs, the number is 1, so
/// that rows of inputs that no output reads are not searched.
template <class T>
Index part_rows(const Stencil<T>& stencil, const Point& extent) {
  const Index stride = stencil.stride[0];
  if (stride > 1 && stride >= stencil.height) return 1;
  const Index inputs = std::clamp<Index>(2 * (stencil.height - 1), 32, 256);
  return std::min(extent[1], std::max<Index>(1, inputs / stride));
}

/// Numbers of rows and columns of the blocks of a part. Copies of the inputs of a block stay in the
/// cache or, for a very large mask, take no more than some megabytes. Blocks of one-row masks are
/// short, because a short block often has no missing points. With taller masks, most blocks of any
/// size have missing points, so their blocks have long rows, which are faster.
template <class T>
std::array<Index, 2> block_extent(const Stencil<T>& stencil, Index part_rows, Index panel) {
  const bool is_row = stencil.height == 1;
  const Index rows = is_row ? std::min<Index>(part_rows, 4) : part_rows, stride = stencil.stride[1];
  const Index inputs =
      cache_bytes / Index(sizeof(T)) / inputs_of(rows, stencil.stride[0], stencil.height);
  const Index least = stride > 1 ? 1 : 64;
  const Index columns = std::max(least, (inputs - stencil.width) / stride);
  return {rows, std::min({panel, Index(is_row ? 256 : 1024), columns})};
}

template <class T>
class ValidPieces : public PieceSums<T> {
 public:
  ValidPieces(const Work<T>& work, Index panel)
      : kernels_(work.kernels),
        source_(work.source),
        target_(work.target),
        stream_(work.stream),
        plain_(plain(work.stencil)),
        absolute_(absolute(plain_)),
        weights_(make_weights(work.stencil)),
        rows_(part_rows(plain_, target_.extent)),
        block_(block_extent(plain_, rows_, panel)),
        inputs_(work.threads, {input_rows(block_[0]), input_columns(block_[1])}),
        points_sums_(work.threads, block_),
        weights_sums_(work.threads, block_),
        shares_sums_(weights_.mixed ? work.threads : 0, block_) {
    const Walk<T> walk = plain_walk(plain_);
    const auto sums_over = [&](const Stencil<T>& stencil, FieldView<T> target) {
      return walk.sums({stencil, kernels_, inputs_.view(), target, work.threads, false, true},
                       block_[1]);
    };
    whole_ = walk.sums({plain_, kernels_, source_, target_, work.threads, stream_}, panel);
    points_ = sums_over(plain_, points_sums_.view());
    taps_ = sums_over(plain_, weights_sums_.view());
    if (weights_.mixed) shares_ = sums_over(absolute_, shares_sums_.view());
  }

  Index elements() const override { return std::max(whole_->elements(), points_->elements()); }
  Index pointers() const override { return std::max(whole_->pointers(), points_->pointers()); }

  void sum(const Box& piece, T* memory, const T** rows) const override {
    bool expects_whole = true;
    for (Index y = piece.first[1]; y < piece.last[1]; y += rows_) {
      Box part = piece;
      part.set(y_axis, {y, std::min(y + rows_, piece.last[1])});
      // after a part with missing points, the next part is not searched as a whole: it probably has
      // missing points, too, and would be read from memory twice
      if (expects_whole && is_whole(part, true)) {
        whole_->sum(part, memory, rows);
        continue;
      }
      expects_whole = true;
      Box block = part;
      for (Index top = y; top < part.last[1]; top += block_[0]) {
        block.set(y_axis, {top, std::min(top + block_[0], part.last[1])});
        for (Index x = part.first[2]; x < part.last[2]; x += block_[1]) {
          block.set(x_axis, {x, std::min(x + block_[1], part.last[2])});
          if (is_whole(block, false)) {
            whole_->sum(block, memory, rows);
          } else {
            sum_valid(block, memory, rows);
            expects_whole = false;
          }
        }
      }
    }
  }

 private:
  /// A view of scratch memory that has the rows of one part for each thread. The batch index of the
  /// view is the number of the thread.
  class Parts {
   public:
    Parts(int threads, const std::array<Index, 2>& extent)
        : extent_{threads, extent[0], extent[1]},
          pitch_(RowRing<T>::size(1, extent[1])),
          memory_(1, checked_multiply(threads, checked_multiply(extent[0], pitch_))) {}
    FieldView<T> view() const {
      return {memory_.of_thread(0), extent_, extent_[1] * pitch_, pitch_};
    }

   private:
    Point extent_;
    Index pitch_;
    Scratch<T> memory_;
  };

  Index input_rows(Index rows) const { return inputs_of(rows, plain_.stride[0], plain_.height); }
  Index input_columns(Index columns) const {
    return inputs_of(columns, plain_.stride[1], plain_.width);
  }
  const T* input(const Box& part, Index row) const {
    return &source_.at(part.first[0], part.first[1] * plain_.stride[0] + row,
                       part.first[2] * plain_.stride[1]);
  }

  /// Returns whether the ordinary sums of a part have the same bits as the renormalized sums.
  ///
  /// @param fetch  read all inputs in any case, to bring them into the cache row by row
  bool is_whole(const Box& part, bool fetch) const {
    bool is_whole = weights_.keep_whole();
    const Index n = input_columns(part.extent()[2]), count = input_rows(part.extent()[1]);
    for (Index row = 0; row < count && (fetch || is_whole); ++row)
      is_whole &= kernels_.all_finite(input(part, row), n);
    return is_whole;
  }

  /// Sums a block that has missing points.
  void sum_valid(const Box& part, T* memory, const T** rows) const {
    const auto [batches, height, width] = part.extent();
    const Index thread = omp_get_thread_num();
    Box mine;
    mine.set(batch_axis, {thread, thread + 1});
    mine.set(y_axis, {0, height});
    mine.set(x_axis, {0, width});
    copy_inputs(part, thread, kernels_.copy_valid);
    points_->sum(mine, memory, rows);
    copy_inputs(part, thread, kernels_.mark_valid);
    taps_->sum(mine, memory, rows);
    if (shares_) shares_->sum(mine, memory, rows);
    for (Index y = 0; y < height; ++y)
      kernels_.rescale_row(&points_sums_.view().at(thread, y, 0),
                           &weights_sums_.view().at(thread, y, 0),
                           shares_ ? &shares_sums_.view().at(thread, y, 0) : nullptr,
                           weights_.total, weights_.threshold, stream_,
                           &target_.at(part.first[0], part.first[1] + y, part.first[2]), width);
  }

  void copy_inputs(const Box& part, Index thread, void (*copy)(const T*, T*, Index)) const {
    const Index n = input_columns(part.extent()[2]);
    for (Index row = 0; row < input_rows(part.extent()[1]); ++row)
      copy(input(part, row), &inputs_.view().at(thread, row, 0), n);
  }

  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool stream_;
  Stencil<T> plain_, absolute_;
  Weights<T> weights_;
  Index rows_;                  ///< number of rows of outputs of a part
  std::array<Index, 2> block_;  ///< extent of outputs summed together if a point is missing
  Parts inputs_, points_sums_, weights_sums_, shares_sums_;
  std::unique_ptr<PieceSums<T>> whole_, points_, taps_, shares_;
};

}  // namespace

template <class T>
Walk<T> valid_walk(const Stencil<T>& stencil, const Point& extent) {
  const Index rows = inputs_of(part_rows(stencil, extent), stencil.stride[0], stencil.height);
  const Index panel = cache_bytes / Index(sizeof(T)) / rows / stencil.stride[1] / 64 * 64;
  return {std::min(std::clamp<Index>(panel, 512, 16384), plain_walk(stencil).panel),
          stencil.height - 1,
          [](const Work<T>& work, Index width) -> std::unique_ptr<PieceSums<T>> {
            return std::make_unique<ValidPieces<T>>(work, width);
          }};
}

template Walk<float> valid_walk(const Stencil<float>&, const Point&);
template Walk<double> valid_walk(const Stencil<double>&, const Point&);

}  // namespace stencil::cpu
