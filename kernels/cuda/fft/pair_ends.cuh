#pragma once

#include "kernels/cuda/fft/butterfly.cuh"
#include "kernels/cuda/fft/pieces.hpp"
#include "kernels/cuda/fft/quotient.cuh"

namespace stencil::cuda {

/// Position of a piece: its pair of blocks and its line.
struct PiecePlace {
  long batch, across;
  /// Distance from the first pair to this pair, in inputs or in outputs before striding.
  long ahead;

  template <class T>
  __device__ __forceinline__ PiecePlace(const FftPieces<T>& all, long number) {
    const Divisor &inner = all.along_x ? all.pairs : all.across,
                  &outer = all.along_x ? all.across : all.pairs;
    const long rest = quotient(number, inner), fast = number - rest * inner.by;
    batch = quotient(rest, outer);
    const long slow = rest - batch * outer.by;
    ahead = (all.along_x ? fast : slow) * 2 * all.block;
    across = all.along_x ? slow : fast;
  }

  template <class T>
  __device__ __forceinline__ const T* input(const FftPieces<T>& all) const {
    return all.source + batch * all.source_batch + across * all.source_across +
           ahead * all.source_along;
  }
  template <class T>
  __device__ __forceinline__ long inputs(const FftPieces<T>& all) const {
    return min(all.reach, all.axis_inputs - ahead);
  }
  /// Address of strided output 0 of the whole axis, which may be outside the view.
  template <class T>
  __device__ __forceinline__ T* output(const FftPieces<T>& all) const {
    return all.target + batch * all.target_batch + across * all.target_across -
           all.first_output * all.target_along;
  }
  /// Index along the whole axis of the first output of the piece before striding.
  template <class T>
  __device__ __forceinline__ long begin(const FftPieces<T>& all) const {
    return all.first_begin + ahead;
  }
  /// Return the index along the whole axis of the first requested strided output, and the index
  /// after the last one.
  template <class T>
  __device__ __forceinline__ long first(const FftPieces<T>& all) const {
    return max(all.first_output, quotient(begin(all) + all.stride.by - 1, all.stride));
  }
  template <class T>
  __device__ __forceinline__ long last(const FftPieces<T>& all) const {
    return min(all.first_output + all.outputs,
               quotient(begin(all) + 2 * all.block + all.stride.by - 1, all.stride));
  }
};

/// Reads the points of the transform of one piece, and writes its results, for the threads of a
/// block.
///
/// @tparam is_line  whether the inputs and the outputs of a piece are adjacent: in rows, and in
///                  lines of a panel
template <class T, bool is_line>
class PairEnds {
 public:
  /// @param number  index of the piece
  __device__ __forceinline__ PairEnds(const FftPieces<T>& all, long number)
      : all_(all),
        place_(all, number),
        block_(int(all.block)),
        inputs_of_block_(int(all.inputs_of_block)) {
    const long begin = place_.begin(all);
    const bool has_all = begin >= all.first_output * all.stride.by &&
                         begin + 2 * all.block <= (all.first_output + all.outputs) * all.stride.by;
    inputs_ = int(place_.inputs(all));
    full_ = inputs_ == all.reach;
    if (is_panel()) {
      output_ = all.panel + (number - all.panel_first) * all.panel_pitch;
      input_ = output_;
      whole_ = has_all;
    } else {
      input_ = place_.input(all);
      output_ = place_.output(all);
      whole_ = has_all && all.stride.by == 1;
      if (whole_) output_ += begin * output_step();
    }
  }

  /// Makes this object read and write nothing from now on.
  __device__ __forceinline__ void leave_out() {
    block_ = inputs_ = 0;
    full_ = false;
  }

  /// Loads the points of a butterfly: inputs of the first block as real parts, inputs of the second
  /// block as imaginary parts. The transform may be up to 15 points longer than the inputs of a
  /// block.
  ///
  /// @param base     index of the first point; the points are 2^log_leg apart
  template <int radix>
  __device__ __forceinline__ void load(int base, int log_leg, Complex<T> (&x)[radix]) const {
    const long step = input_step();
    if (full_) {
      const T *first = input_ + base * step, *second = first + block_ * step;
#pragma unroll
      for (int k = 0; k < radix; ++k) {
        const int ahead = k << log_leg;
        x[k].re = first[ahead * step];
        x[k].im = k + 1 < radix || base + ahead < inputs_of_block_ ? second[ahead * step] : T(0);
      }
    } else {
#pragma unroll
      for (int k = 0; k < radix; ++k) {
        const int first = base + (k << log_leg), second = first + block_;
        x[k].re = first < inputs_ ? input_[first * step] : T(0);
        x[k].im = first < inputs_of_block_ && second < inputs_ ? input_[second * step] : T(0);
      }
    }
  }

  /// Stores the points of a butterfly. -0, which a direct sum from +0 never gives, becomes +0.
  template <int radix>
  __device__ __forceinline__ void store(int base, int log_leg, const Complex<T> (&x)[radix]) {
    const long step = output_step();
    T *const first = output_ + base * step, *const second = first + block_ * step;
#pragma unroll
    for (int k = 0; k < radix; ++k) {
      const int ahead = k << log_leg;
      if (base + ahead >= block_) break;
      const Complex<T> value = x[k] + Complex<T>{};
      bad_ = fused(value.re, T(0), fused(value.im, T(0), bad_));
      if (whole_) {
        first[ahead * step] = value.re;
        second[ahead * step] = value.im;
      } else {
        put(base + ahead, value.re);
        put(base + ahead + block_, value.im);
      }
    }
  }
  /// Returns whether a result stored by this thread is not finite and is possibly needed with the
  /// given stride.
  ///
  /// @param unit  a butterfly of the last pass that this thread has computed; all other results of
  ///              the thread are at even distances from it
  __device__ __forceinline__ bool is_bad(int unit) const {
    return (unit & (all_.every - 1)) == 0 && !(bad_ == 0);
  }

  /// Computes the outputs of the piece tap by tap, with the results of IEEE arithmetic, if they
  /// depend on NaN, Inf or numbers whose transform overflows.
  ///
  /// @param thread, threads  index and number of the threads that share the outputs of the piece
  __device__ void sum_directly(long thread, long threads) {
    const T* const line = place_.input(all_);
    const long begin = place_.begin(all_), last = place_.last(all_);
    for (long o = place_.first(all_) + thread; o < last; o += threads) {
      const int position = int(o * all_.stride.by - begin);
      const T* source = line + position * all_.source_along;
      T sum = 0;
#pragma unroll 4
      for (long k = 0; k < all_.width; ++k) {
        const T tap = all_.taps[k];
        if (!all_.skip_zeros || tap != 0) sum = fused(tap, source[k * all_.source_along], sum);
      }
      output_[(whole_ || is_panel() ? position : o) * output_step()] = clean(sum);
    }
  }

 private:
  __device__ __forceinline__ long input_step() const {
    return is_line ? 1 : all_.source_along;
  }
  __device__ __forceinline__ long output_step() const {
    return is_line ? 1 : all_.target_along;
  }

  __device__ __forceinline__ bool is_panel() const {
    return is_line && all_.panel != nullptr;
  }

  /// Writes one result, in a piece of which not all outputs are requested, or whose outputs are not
  /// adjacent.
  __device__ void put(int position, T value) const {
    const long dense = place_.begin(all_) + position;
    const long o = all_.stride.by > 1 ? quotient(dense, all_.stride) : dense;
    if (o < all_.first_output || o >= all_.first_output + all_.outputs) return;
    if (is_panel())
      output_[position] = value;
    else if (o * all_.stride.by == dense)
      output_[o * output_step()] = value;
  }

  const FftPieces<T>& all_;
  PiecePlace place_;
  const T* input_;
  T* output_;  ///< address of the first output before striding, or of strided output 0 of the axis
  int block_, inputs_of_block_, inputs_;
  bool full_;   ///< all inputs of the pair exist
  bool whole_;  ///< all outputs of the pair are in the view, with a stride of 1 or in a panel
  T bad_ = 0;
};

}  // namespace stencil::cuda
