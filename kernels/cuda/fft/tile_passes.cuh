#pragma once

#include "kernels/cuda/fft/passes.cuh"
#include "kernels/cuda/fft/tile_tables.hpp"

// The passes of FftTilePlan for several rows or columns of a tile at once, by a block of threads.
// Arguments `at(n)` return objects that load and store the points of sequence n; they have the
// functions load and store of InMemory.

namespace stencil::cuda {

/// Points that are `pitch` complex numbers apart.
template <class T>
struct TilePoints {
  Complex<T>* points;
  int pitch;

  template <int radix>
  __device__ __forceinline__ void load(int base, int log_leg, Complex<T> (&x)[radix]) const {
#pragma unroll
    for (int k = 0; k < radix; ++k) x[k] = points[(base + (k << log_leg)) * pitch];
  }
  template <int radix>
  __device__ __forceinline__ void store(int base, int log_leg, const Complex<T> (&x)[radix]) const {
#pragma unroll
    for (int k = 0; k < radix; ++k) points[(base + (k << log_leg)) * pitch] = x[k];
  }
};

/// Whether adjacent threads process different sequences or different units of a sequence.
enum class Neighbours { sequences, units };

/// Calls `work(sequence, unit)` for all units of `2^log_count` sequences, with `2^log_units` units
/// each.
template <Neighbours neighbours, class Work>
__device__ __forceinline__ void for_units(int log_count, int log_units, const Work& work) {
  constexpr bool by_units = neighbours == Neighbours::units;
  const int log_fast = by_units ? log_units : log_count;
  for (int k = threadIdx.x; k < 1 << (log_count + log_units); k += blockDim.x) {
    const int fast = k & ((1 << log_fast) - 1), slow = k >> log_fast;
    by_units ? work(slow, fast) : work(fast, slow);
  }
}

/// One pass of a transform, over parts of `2^log_part_` points.
template <class T>
class TilePass {
 public:
  /// The first pass of a transform.
  __device__ __forceinline__ explicit TilePass(const AxisPasses<T>& passes)
      : log_points_(passes.log_points),
        log_fours_(passes.log_points - 2 * passes.fours),
        log_part_(passes.log_points),
        twiddles_(passes.twiddles) {}

  __device__ __forceinline__ bool is_last() const { return log_part_ == 3; }
  __device__ __forceinline__ void advance() {
    twiddles_ += 1 << log_part_;
    log_part_ -= log_part_ > log_fours_ ? 2 : 3;
  }
  __device__ __forceinline__ void go_back() {
    log_part_ += log_part_ >= log_fours_ ? 2 : 3;
    twiddles_ -= 1 << log_part_;
  }
  __device__ __forceinline__ bool is_first() const { return log_part_ == log_points_; }

  /// This pass and the following passes.
  __device__ __forceinline__ AxisPasses<T> passes() const {
    return {log_part_, max(0, log_part_ - log_fours_) / 2, twiddles_};
  }

  /// Computes this pass forward, or its inverse.
  /// @pre this is not the last pass
  template <Neighbours neighbours, class From, class To>
  __device__ __forceinline__ void forward(int log_count, const From& from, const To& to) const {
    if (log_part_ > log_fours_)
      run<4, false, neighbours>(log_count, from, to);
    else
      run<8, false, neighbours>(log_count, from, to);
  }
  template <Neighbours neighbours, class From, class To>
  __device__ __forceinline__ void inverse(int log_count, const From& from, const To& to) const {
    if (log_part_ > log_fours_)
      run<4, true, neighbours>(log_count, from, to);
    else
      run<8, true, neighbours>(log_count, from, to);
  }

 private:
  template <int radix, bool is_inverse, Neighbours neighbours, class From, class To>
  __device__ __forceinline__ void run(int log_count, const From& from, const To& to) const {
    for_units<neighbours>(log_count, log_points_ - (radix == 8 ? 3 : 2), [&](int n, int unit) {
      const auto source = from(n);
      auto target = to(n);
      if constexpr (is_inverse)
        inverse_butterfly<radix, 0>(unit, log_part_, twiddles_, source, target);
      else
        forward_butterfly<radix, 0>(unit, log_part_, twiddles_, source, target);
    });
  }

  int log_points_, log_fours_;  ///< log2 of the points before and after the passes of radix 4
  int log_part_;
  const Complex<T>* twiddles_;
};

/// The last pass, over parts of 8 points, whose twiddles are all 1.
template <bool conjugate, class T, class From, class To>
__device__ __forceinline__ void transform_octets(int log_count, int log_points, const From& from,
                                                 const To& to) {
  for_units<Neighbours::sequences>(log_count, log_points - 3, [&](int n, int unit) {
    Complex<T> x[8];
    from(n).load(8 * unit, 0, x);
    butterfly<conjugate>(x);
    to(n).store(8 * unit, 0, x);
  });
}

/// Transforms columns; adjacent threads process adjacent columns.
template <class T, class From, class Own, class To>
__device__ __forceinline__ void transform_columns(const AxisPasses<T>& passes, int log_count,
                                                  const From& from, const Own& own, const To& to) {
  TilePass<T> pass(passes);
  pass.template forward<Neighbours::sequences>(log_count, from, own);
  for (pass.advance(); !pass.is_last(); pass.advance()) {
    __syncthreads();
    pass.template forward<Neighbours::sequences>(log_count, own, own);
  }
  __syncthreads();
  transform_octets<false, T>(log_count, passes.log_points, own, to);
}

/// Inverse of transform_columns, except for a factor.
template <class T, class From, class Own, class To>
__device__ __forceinline__ void restore_columns(const AxisPasses<T>& passes, int log_count,
                                                const From& from, const Own& own, const To& to) {
  transform_octets<true, T>(log_count, passes.log_points, from, own);
  TilePass<T> pass(passes);
  while (!pass.is_last()) pass.advance();
  for (pass.go_back(); !pass.is_first(); pass.go_back()) {
    __syncthreads();
    pass.template inverse<Neighbours::sequences>(log_count, own, own);
  }
  __syncthreads();
  pass.template inverse<Neighbours::sequences>(log_count, own, to);
}

/// Transforms rows, multiplies them by the spectrum, and transforms them back. When points are read
/// from and written to memory, adjacent threads process adjacent points; in between they process
/// adjacent rows.
///
/// @param spectrum  spectrum of the first row and point; its points are `pitch` numbers apart
template <class T, class From, class Own, class To>
__device__ __forceinline__ void convolve_rows(const AxisPasses<T>& passes, int log_count,
                                              const Complex<T>* spectrum, int pitch,
                                              const From& from, const Own& own, const To& to) {
  TilePass<T> pass(passes);
  pass.template forward<Neighbours::units>(log_count, from, own);
  for (pass.advance(); !pass.is_last(); pass.advance()) {
    __syncthreads();
    pass.template forward<Neighbours::sequences>(log_count, own, own);
  }
  __syncthreads();
  for_units<Neighbours::sequences>(log_count, passes.log_points - 3, [&](int n, int unit) {
    Complex<T> x[8];
    own(n).load(8 * unit, 0, x);
    butterfly<false>(x);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      x[k] = x[k].template times<false>(spectrum[(8 * unit + k) * pitch + n]);
    butterfly<true>(x);
    own(n).store(8 * unit, 0, x);
  });
  for (pass.go_back(); !pass.is_first(); pass.go_back()) {
    __syncthreads();
    pass.template inverse<Neighbours::sequences>(log_count, own, own);
  }
  __syncthreads();
  pass.template inverse<Neighbours::units>(log_count, own, to);
}

}  // namespace stencil::cuda
