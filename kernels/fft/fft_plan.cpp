#include "kernels/fft/fft_plan.hpp"

#include "kernels/fft/fourier.hpp"

namespace stencil {
namespace {

template <class T>
void set(FftEight<T>& eight, Index k, std::complex<double> value) {
  eight.re[k] = T(value.real());
  eight.im[k] = T(value.imag());
}

}  // namespace

template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks, FftTables tables) {
  if (tables == FftTables::left_out) return {blocks};
  const bool made = tables == FftTables::made;
  using Complex = std::complex<double>;
  const Index points = blocks.points, sequence = points / 8;
  FftPlan<T> plan{blocks, radices_of(sequence), {}, {}, {}, {}};
  const std::vector<Complex> roots = roots_of_one(points);
  if (made) plan.twiddles = twiddles_of<T>(sequence, plan.radices, roots);
  std::vector<Complex> spectrum(taps.begin(), taps.end());
  spectrum.resize(points);
  transform(spectrum.data(), points, roots);
  if (made) plan.turns.resize(sequence);
  plan.spectrum.resize(sequence);
  const double scale = 1 / double(points);
  // After the last pass, which has radix 8, frequencies that differ by an eighth of the length are
  // adjacent. The loop visits them one after the other, so that whole cache lines are written.
  for (Index k = 0; k < sequence / 8; ++k) {
    const Index place = permuted(k, sequence, plan.radices);
    for (Index part = 0; part < 8; ++part)
      for (Index l = 0; l < 8; ++l) {
        const Index frequency = k + part * (sequence / 8);
        if (made) set(plan.turns[place + part], l, roots[l * frequency]);
        set(plan.spectrum[place + l], part, std::conj(spectrum[frequency + l * sequence]) * scale);
      }
  }
  return plan;
}

template FftPlan<float> make_fft_plan(const std::vector<float>&, const FftBlocks&, FftTables);
template FftPlan<double> make_fft_plan(const std::vector<double>&, const FftBlocks&, FftTables);

}  // namespace stencil
