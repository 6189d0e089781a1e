#include "kernels/cpu/convolve_cpu.hpp"

#include <fmt/core.h>
#include <omp.h>

#include "kernels/cpu/fft_tile_walk.hpp"
#include "kernels/cpu/fft_valid_walk.hpp"
#include "kernels/cpu/fft_volume_walk.hpp"
#include "kernels/cpu/fft_walk.hpp"
#include "kernels/cpu/fft_work.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/sum_of_separables_walk.hpp"
#include "kernels/cpu/valid_walk.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/volume_valid_walk.hpp"
#include "kernels/cpu/volume_walk.hpp"
#include "kernels/cpu/walks.hpp"

namespace stencil {

template <class T>
void convolve_cpu(const Stencil<T>& stencil, FieldView<const T> source, FieldView<T> target,
                  const Anchor& anchor) {
  const cpu::RowKernels<T>& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  if (points(target.extent) == 0) return;
  // a mask of one plane reads only every plane_stride-th plane
  if (stencil.depth == 1) source.batch_pitch *= stencil.plane_stride;
  if (stencil.depth > 1 && stencil.fft_tiles) {
    cpu::walk_fft_volume(stencil, kernels, source, target, anchor);
  } else if (stencil.depth > 1 && stencil.min_valid) {
    cpu::walk_valid_volume(stencil, kernels, source, target);
  } else if (stencil.depth > 1) {
    cpu::walk_volume(stencil, kernels, source, target);
  } else if (stencil.method == Method::separable && stencil.terms > 1) {
    cpu::walk_sum_of_separables(stencil, kernels, source, target);
  } else if (stencil.fft_tiles) {
    cpu::walk_fft_tiles(stencil, kernels, source, target, anchor);
  } else if (stencil.method == Method::fft) {
    cpu::walk_fft(stencil, kernels, source, target, anchor);
  } else if (stencil.min_valid) {
    cpu::run(cpu::valid_walk(stencil, target.extent), stencil, kernels, source, target);
  } else {
    cpu::run(cpu::plain_walk(stencil), stencil, kernels, source, target);
  }
}

template void convolve_cpu(const Stencil<float>&, FieldView<const float>, FieldView<float>,
                           const Anchor&);
template void convolve_cpu(const Stencil<double>&, FieldView<const double>, FieldView<double>,
                           const Anchor&);

namespace {

/// Number of pairs that are transformed together.
int fft_pairs_of(std::size_t element) {
  const auto extension = cpu::vector_extension();
  return element == sizeof(float) ? cpu::row_kernels<float>(extension).fft_pairs
                                  : cpu::row_kernels<double>(extension).fft_pairs;
}

}  // namespace

Index fft_scratch_bytes(const FftBlocks& blocks, Index stride, std::size_t element,
                        bool renormalizes) {
  const int pairs = fft_pairs_of(element);
  const Index bundle = cpu::fft_bundle(blocks, pairs, element, false);
  const int together = fft_together(blocks.points, stride);
  const Index turns = together > 1 ? 2 * blocks.points * Index(element) : 0;
  const Index elements =
      checked_add(checked_multiply(together, cpu::fft_tile(blocks.points, pairs)),
                  checked_add(checked_multiply(bundle, cpu::fft_panel_pitch(blocks)),
                              renormalizes ? cpu::fft_valid_scratch(blocks) : 0));
  constexpr Index rounding = 512;
  const Index each = checked_add(checked_multiply(elements, Index(element)), rounding);
  return checked_add(checked_multiply(omp_get_max_threads(), each),
                     checked_add(turns, checked_multiply(blocks.width, sizeof(cpu::Tap<double>))));
}

Index fft_scratch_bytes(const FftTiles& tiles, std::size_t element, bool renormalizes,
                        Index plane_stride) {
  constexpr Index rounding = 512;
  const Index elements = tiles.depth > 1 ? cpu::fft_volume_scratch(tiles, plane_stride)
                                         : cpu::fft_tile_scratch(tiles, renormalizes);
  const Index each = checked_add(checked_multiply(elements, Index(element)), rounding);
  return checked_add(
      checked_multiply(omp_get_max_threads(), each),
      checked_multiply(tiles.depth * tiles.y.width * tiles.x.width, sizeof(cpu::Tap<double>)));
}

Index scratch_addresses() {
  // six buffers for tiles that have missing or non-finite points, and six for the direct sums of
  // some outputs of these tiles
  constexpr Index buffers = 12;
  return buffers * cpu::Scratch<char>::apart * omp_get_max_threads();
}

Index fft_kept_bytes(const FftBlocks& blocks, std::size_t element) {
  constexpr Index rounding = 128;
  const Index elements = cpu::fft_kept(blocks.points, fft_pairs_of(element));
  return checked_multiply(omp_get_max_threads(),
                          checked_add(checked_multiply(elements, Index(element)), rounding));
}

std::string cpu_walk_facts() {
  const int threads = omp_get_max_threads();
  return fmt::format("{}, {} thread{}", cpu::to_string(cpu::vector_extension()), threads,
                     threads == 1 ? "" : "s");
}

}  // namespace stencil
