#include "kernels/fft/fft_tile_plan.hpp"

#include <algorithm>
#include <complex>

#include "kernels/fft/fourier.hpp"

namespace stencil {
namespace {

using Complex = std::complex<double>;

/// Returns `exp(pi i y / (2 rows))` for y in [0, rows).
std::vector<Complex> weights_of(Index rows) {
  std::vector<Complex> weights = roots_of_one(4 * rows);
  weights.resize(rows);
  for (Complex& weight : weights) weight = std::conj(weight);
  return weights;
}

/// Returns the transform of a tile that contains the taps of a plane in its first corner, after the
/// lead. Frequency (f, g) is in row bit_reversed(f) and column g.
template <class T>
std::vector<Complex> transformed(const T* taps, const FftTiles& tiles,
                                 const std::vector<Complex>& weights) {
  const Index rows = tiles.y.points / 2, columns = tiles.x.points;
  const std::vector<Complex> roots = roots_of_one(std::max(rows, columns));
  std::vector<Complex> values(rows * columns);
  for (Index j = 0; j < tiles.y.width; ++j) {
    const Complex weight = weights[j % rows] * (j < rows ? Complex(1, 0) : Complex(0, 1));
    for (Index i = 0; i < tiles.x.width; ++i)
      values[j % rows * columns + tiles.x.lead + i] += weight * double(taps[j * tiles.x.width + i]);
  }
  for (Index j = 0; j < std::min(rows, tiles.y.width); ++j)
    transform(values.data() + j * columns, columns, roots);
  transform_rows(values.data(), rows, columns, roots);
  return values;
}

/// Writes the spectrum of one plane of the mask into the plan.
template <class T>
void add_spectrum(const T* taps, const std::vector<Complex>& weights, Index plane,
                  FftTilePlan<T>& plan) {
  const Index rows = plan.rows(), columns = plan.tiles.x.points, depth = plan.tiles.depth;
  const std::vector<Complex> values = transformed(taps, plan.tiles, weights);
  std::vector<Index> from(columns);
  for (Index g = 0; g < columns; ++g) from[permuted(g, columns, plan.row_radices)] = g;
  const double scale = 1 / double(rows * columns);
  for (Index f = 0; f < rows; ++f) {
    const Index place = permuted(f, rows, plan.column_radices);
    const Complex* row = values.data() + bit_reversed(f, rows) * columns;
    FftSixteen<T>* sixteen = plan.spectrum.data() + place / 16 * columns * depth + plane;
    for (Index x = 0; x < columns; ++x, sixteen += depth) {
      sixteen->re[place % 16] = T(row[from[x]].real() * scale);
      sixteen->im[place % 16] = T(-row[from[x]].imag() * scale);
    }
  }
}

}  // namespace

template <class T>
FftTilePlan<T> make_fft_tile_plan(const std::vector<T>& taps, const FftTiles& tiles) {
  const Index rows = tiles.y.points / 2, columns = tiles.x.points;
  FftTilePlan<T> plan{tiles, radices_of(columns), radices_of(rows), {}, {}, {}, {}, {}};
  plan.row_twiddles = twiddles_of<T>(columns, plan.row_radices, roots_of_one(columns));
  plan.column_twiddles = twiddles_of<T>(rows, plan.column_radices, roots_of_one(rows));
  const std::vector<Complex> weights = weights_of(rows);
  for (const Complex weight : weights) {
    plan.weights.push_back(T(weight.real()));
    plan.weights.push_back(T(weight.imag()));
  }
  plan.spectrum.resize(rows / 16 * columns * tiles.depth);
  for (Index plane = 0; plane < tiles.depth; ++plane)
    add_spectrum(taps.data() + plane * tiles.y.width * tiles.x.width, weights, plane, plan);
  return plan;
}

template FftTilePlan<float> make_fft_tile_plan(const std::vector<float>&, const FftTiles&);
template FftTilePlan<double> make_fft_tile_plan(const std::vector<double>&, const FftTiles&);

}  // namespace stencil
