#include "kernels/generated/strip_spec.hpp"

#include <algorithm>

namespace stencil::generated {
namespace {

/// Taps beyond this leave the cache of the constant bank: 21 x 21 in float64 ran at 0.014 of a
/// copy.
constexpr std::size_t most_tap_bytes = 1800;

/// Registers of a thread that sums and inputs may take, of 255: the rest is for addresses.
constexpr int most_value_registers = 196;
/// The same where one piece of code sums several rows.
constexpr int most_unrolled_registers = 176;

int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

int chunk_of(const StripSpec& spec) {
  return 16 / spec.element;
}

template <class T>
StripSpec spec_without_shape(const Stencil<T>& stencil, int lead) {
  StripSpec spec;
  spec.element = sizeof(T);
  spec.height = int(stencil.height);
  spec.width = int(stencil.width);
  spec.lead = lead;
  for (const T tap : stencil.taps) spec.multiplied.push_back(tap != 0 || stencil.multiply_zeros);
  return spec;
}

// Shapes as they were measured on an H200, 16384 x 16384. A mask of about 60 taps multiplies for as
// long as its points need to be read and written.

/// Of masks whose time goes with memory: rows arrive by fours, and few warps run at once, so that
/// what is read and written at one time lies close together.
StripShape shape_bound_by_memory(int taps, int height) {
  StripShape shape;
  shape.turn = 4;
  shape.ring = 3;
  shape.unrolled = 4;
  shape.warps = taps <= 40 ? 8 : 16;
  // short parts of strips lie close together; the rows ahead of each are summed for nothing
  const bool short_parts = taps * (32 + height - 1) <= 32 * 30;
  shape.longest = short_parts ? 32 : 400;
  return shape;
}

/// Of masks whose time goes with multiply-adds.
StripShape shape_bound_by_sums(int taps) {
  StripShape shape;
  shape.warps = 16;
  if (taps < 120) {
    shape.turn = 2;
    shape.ring = 4;
    shape.unrolled = 2;
    shape.longest = 400;
  } else {
    shape.chunks = 2;
    shape.turn = 1;
    shape.ring = 8;
  }
  return shape;
}

void choose_shape(StripSpec& spec) {
  const int taps = spec.taps();
  spec.shape = taps <= 60 ? shape_bound_by_memory(taps, spec.height) : shape_bound_by_sums(taps);
  if (registers_for_values(spec) > most_value_registers) spec.shape.chunks = 1;
  // two rows in one piece of code hold more values at once
  if (registers_for_values(spec) > most_unrolled_registers) spec.shape.unrolled = 1;
}

}  // namespace

int StripSpec::taps() const {
  return int(std::count(multiplied.begin(), multiplied.end(), true));
}

int more_chunks(const StripSpec& spec) {
  const int sector = 2 * chunk_of(spec);
  return divide_up(spec.lead + spec.width - 1, sector) * 2;
}

int registers_for_values(const StripSpec& spec) {
  const int outputs = spec.shape.chunks * chunk_of(spec);
  const int sums = spec.shape.groups * (spec.height - 1) * outputs + outputs;
  const int sub = spec.lead % chunk_of(spec);
  const int window = ((sub + spec.width + outputs - 2) / chunk_of(spec) + 1) * chunk_of(spec);
  return (sums + window) * spec.element / 4;
}

int strip_columns(const StripSpec& spec) {
  return 32 * spec.shape.chunks * spec.shape.groups * chunk_of(spec);
}

int ring_bytes(const StripSpec& spec) {
  const int chunks = spec.shape.chunks;
  const int row_chunks = strip_columns(spec) / chunk_of(spec) + more_chunks(spec);
  const int half = divide_up(divide_up(row_chunks, chunks), 8) * 8 + (chunks > 1 ? 4 : 0);
  return spec.shape.ring * spec.shape.turn * chunks * half * 16;
}

template <class T>
bool has_strip_walk(const Stencil<T>& stencil) {
  if (stencil.method != Method::direct || stencil.min_valid ||
      stencil.stride != std::array<Index, 2>{1, 1})
    return false;
  const auto zeros = std::count(stencil.taps.begin(), stencil.taps.end(), T(0));
  if (stencil.height > 256 || stencil.width > 256) return false;
  const auto left_out = stencil.multiply_zeros ? 0 : zeros;
  const std::size_t taps = stencil.taps.size() - std::size_t(left_out);
  if (taps == 0 || taps * sizeof(T) > most_tap_bytes) return false;
  StripSpec spec = spec_without_shape(stencil, 16 / int(sizeof(T)) - 1);
  return registers_for_values(spec) <= most_value_registers;
}

template <class T>
StripSpec make_strip_spec(const Stencil<T>& stencil, int lead) {
  StripSpec spec = spec_without_shape(stencil, lead);
  choose_shape(spec);
  return spec;
}

template <class T>
std::vector<T> multiplied_taps(const Stencil<T>& stencil) {
  std::vector<T> taps;
  for (const T tap : stencil.taps)
    if (tap != 0 || stencil.multiply_zeros) taps.push_back(tap);
  return taps;
}

template bool has_strip_walk(const Stencil<float>&);
template bool has_strip_walk(const Stencil<double>&);
template StripSpec make_strip_spec(const Stencil<float>&, int);
template StripSpec make_strip_spec(const Stencil<double>&, int);
template std::vector<float> multiplied_taps(const Stencil<float>&);
template std::vector<double> multiplied_taps(const Stencil<double>&);

}  // namespace stencil::generated
