#pragma once

namespace stencil::cuda {

template <class T>
struct Complex;

/// What FftPlan holds, in device memory, for a whole transform or for what its first passes leave
/// of it: parts of `2^log_points` points, all sequences counted.
template <class T>
struct FftTables {
  int log_points;
  int fours, eights;           ///< passes of radix 4, which come first, and 8
  const Complex<T>* twiddles;  ///< of the first pass, then those of the next: `[j, radix]` each
  const Complex<T>* turns;     ///< in the order of the points
  const Complex<T>* spectrum;  ///< of frequency m of the 8 x 8 points p, place l: `[p, m, l]`

  int first_radix() const { return fours > 0 ? 4 : 8; }

  /// What the first pass leaves.
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
