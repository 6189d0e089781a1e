#pragma once

namespace stencil::cuda {

template <class T>
struct Complex;

/// The tables of FftPlan in device memory, for a whole transform or for the part of a transform
/// after its first passes. The whole or the part has `2^log_points` points in all sequences
/// together.
template <class T>
struct FftTables {
  int log_points;
  int fours, eights;           ///< numbers of passes of radix 4, which come first, and of radix 8
  const Complex<T>* twiddles;  ///< twiddles of the passes in order: `[j, radix]` for each pass
  const Complex<T>* turns;     ///< turns in the order of the points
  const Complex<T>* spectrum;  ///< spectrum at frequency m of 8 x 8 points p, index l: `[p, m, l]`

  int first_radix() const { return fours > 0 ? 4 : 8; }

  /// Tables of the parts after the first pass.
  FftTables after_first_pass() const {
    FftTables rest = *this;
    const int log_radix = fours > 0 ? 2 : 3;
    rest.log_points -= log_radix;
    (fours > 0 ? rest.fours : rest.eights) -= 1;
    rest.twiddles += first_radix() * (1 << (rest.log_points - 3));
    return rest;
  }
};

}  // namespace stencil::cuda
