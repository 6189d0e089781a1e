#include "kernels/generated/strip_spec.hpp"

#include <algorithm>

namespace stencil::generated {
namespace {

/// Largest size of the taps in bytes for which the cache of the constant bank suffices. A larger
/// mask, 21 x 21 in float64, ran at only 0.014 of the rate of a copy.
constexpr std::size_t most_tap_bytes = 1800;

/// Number of the 255 registers of a thread that may hold sums and inputs; the others are needed for
/// addresses.
constexpr int most_value_registers = 196;

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

// Shapes measured on an H200 with 16384 x 16384 and 9973 x 15013 points. For a mask of about 60
// taps, multiplying takes as long as reading and writing the points.

/// Shape for masks that are limited by memory bandwidth. Rows arrive four at a time, and few warps
/// are resident, so that the addresses accessed at one time are close together.
StripShape shape_bound_by_memory(int taps, int height) {
  StripShape shape;
  shape.turn = 4;
  shape.ring = 4;
  shape.unrolled = 4;
  shape.warps = 8;
  // short parts of strips are close together in memory, but each part also sums the rows before its
  // first output, which takes additional time
  const int adds = taps * (32 + height - 1) / 32;
  shape.longest = adds <= 20 ? 32 : 100;
  if (height > 12) {
    shape.ring = 3;
    shape.longest = 400;
  }
  return shape;
}

/// Shape for masks for which multiplying takes about as long as reading, or somewhat longer. Each
/// loaded tap is used for two groups of outputs.
StripShape shape_of_two_groups(int taps) {
  StripShape shape;
  shape.groups = 2;
  shape.turn = 2;
  shape.ring = 4;
  shape.unrolled = 2;
  shape.warps = taps < 48 ? 8 : 16;
  shape.longest = taps <= 60 ? 100 : 700;
  return shape;
}

/// Shape for masks whose time is proportional to the multiply-adds: neighbouring chunks share the
/// inputs in registers.
StripShape shape_bound_by_sums() {
  StripShape shape;
  shape.chunks = 2;
  shape.turn = 1;
  shape.ring = 8;
  shape.warps = 16;
  return shape;
}

StripShape narrow_shape() {
  StripShape shape;
  shape.turn = 2;
  shape.ring = 4;
  shape.warps = 16;
  shape.longest = 400;
  return shape;
}

/// Chooses the first shape, in the order of speed, for which the registers suffice.
void choose_shape(StripSpec& spec) {
  const int taps = spec.taps();
  const auto fits = [&](const StripShape& shape, int most) {
    spec.shape = shape;
    return registers_for_values(spec) <= most;
  };
  if (taps < 40 && fits(shape_bound_by_memory(taps, spec.height), 176)) return;
  if (taps < 110 && fits(shape_of_two_groups(taps), 120)) return;
  if (taps < 48 && fits(shape_bound_by_memory(taps, spec.height), 176)) return;
  if (taps >= 110 && fits(shape_bound_by_sums(), most_value_registers)) return;
  StripShape shape = narrow_shape();
  shape.unrolled = 2;
  if (fits(shape, 120)) return;
  spec.shape = narrow_shape();
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

bool fits_strip_walk(const StripSpec& spec) {
  if (spec.height > 256 || spec.width > 256) return false;
  const auto taps = std::size_t(spec.taps());
  if (taps == 0 || taps * std::size_t(spec.element) > most_tap_bytes) return false;
  return registers_for_values(spec) <= most_value_registers;
}

template <class T>
bool has_strip_walk(const Stencil<T>& stencil) {
  if (stencil.method != Method::direct || stencil.min_valid ||
      stencil.stride != std::array<Index, 2>{1, 1})
    return false;
  return fits_strip_walk(spec_without_shape(stencil, 16 / int(sizeof(T)) - 1));
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
