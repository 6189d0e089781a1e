#include "kernels/fft_plan.hpp"

#include "kernels/fourier.hpp"

namespace stencil {
namespace {

template <class T>
void set(FftEight<T>& eight, Index k, std::complex<TableReal<T>> value) {
  eight.re[k] = T(value.real());
  eight.im[k] = T(value.imag());
}

}  // namespace

template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks, FftTables tables) {
  if (tables == FftTables::left_out) return {blocks};
  const bool made = tables == FftTables::made;
  using Complex = std::complex<TableReal<T>>;
  const Index points = blocks.points, sequence = points / 8;
  FftPlan<T> plan{blocks, radices_of(sequence), {}, {}, {}};
  const std::vector<Complex> roots = roots_of_one<TableReal<T>>(points);
  if (made) plan.twiddles = twiddles_of<T>(sequence, plan.radices, roots);
  std::vector<Complex> spectrum(taps.begin(), taps.end());
  spectrum.resize(points);
  transform(spectrum.data(), points, 1, roots);
  if (made) plan.turns.resize(sequence);
  plan.spectrum.resize(sequence);
  const auto scale = 1 / TableReal<T>(points);
  for (Index k = 0; k < sequence; ++k) {
    const Index place = permuted(k, sequence, plan.radices);
    for (Index l = 0; l < 8; ++l) {
      if (made) set(plan.turns[place], l, roots[l * k]);
      set(plan.spectrum[place / 8 * 8 + l], place % 8,
          std::conj(spectrum[bit_reversed(k + l * sequence, points)]) * scale);
    }
  }
  return plan;
}

template FftPlan<float> make_fft_plan(const std::vector<float>&, const FftBlocks&, FftTables);
template FftPlan<double> make_fft_plan(const std::vector<double>&, const FftBlocks&, FftTables);

}  // namespace stencil
