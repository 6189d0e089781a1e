// Launches the kernel in kernels/generated/strip_walk.cu, which is compiled for the zeros of a
// direct mask.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/generated/source_instance.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/generated/strip_arguments.hpp"
#include "kernels/generated/strip_source.hpp"

namespace stencil::cuda {
namespace {

/// Numbers of outputs and columns below which tiles are used, for example for the rims between
/// ranks.
constexpr long least_points = 1 << 16, least_columns = 96;

/// Alignment in bytes of the start of strips, in the target and in the source: a sector of memory.
constexpr std::uintptr_t sector = 32;

template <class T>
std::uintptr_t address(T* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

/// Number of columns from the start of the first strip to the first output.
template <class T>
int shift_of(const KernelArguments<T>& arguments) {
  return int(address(arguments.target) % sector / sizeof(T));
}

/// Returns whether all rows have the same alignment with respect to sectors.
template <class T>
bool has_aligned_rows(const KernelArguments<T>& arguments) {
  std::uintptr_t pitches = 0;
  if (arguments.rows > 1) pitches |= std::uintptr_t(arguments.target_row);
  if (arguments.rows + arguments.height > 2) pitches |= std::uintptr_t(arguments.source_row);
  if (arguments.batches > 1)
    pitches |= std::uintptr_t(arguments.source_batch) | std::uintptr_t(arguments.target_batch);
  return pitches * sizeof(T) % sector == 0;
}

/// Number of elements of a strip's row before the first input; see StripSpec.
template <class T>
int lead_of(const KernelArguments<T>& arguments) {
  const std::uintptr_t begin =
      address(arguments.source) - std::uintptr_t(shift_of(arguments)) * sizeof(T);
  return int(begin % sector / sizeof(T));
}

/// Returns a key that is unique for each source text.
template <class T>
std::string key_of(const Stencil<T>& stencil, int lead) {
  std::string key = instance_name<T>("strip_walk", stencil.height, stencil.width, lead);
  for (const T tap : stencil.taps) key += tap != 0 || stencil.multiply_zeros ? '1' : '0';
  return key;
}

/// A kernel and the specification for which it was compiled.
struct Walk {
  generated::StripSpec spec;
  const LoadedKernel* kernel;
};

template <class T>
Walk walk_for(const Stencil<T>& stencil, int lead) {
  const generated::StripSpec spec = generated::make_strip_spec(stencil, lead);
  const LoadedKernel& kernel = instance_of_source(
      key_of(stencil, lead), [&] { return generated::strip_source(spec); },
      generated::strip_walk_kernel);
  return {spec, &kernel};
}

}  // namespace

template <class T>
bool fits_strip_walk(const KernelArguments<T>& arguments, const Stencil<T>& stencil) {
  constexpr long most = 1 << 30;
  return generated::has_strip_walk(stencil) && has_aligned_rows(arguments) &&
         arguments.columns >= least_columns && arguments.rows <= most - arguments.height &&
         arguments.columns <= most - arguments.width &&
         double(arguments.rows) * double(arguments.columns) * double(arguments.batches) >=
             least_points;
}

template <class T>
void launch_strip_walk(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  const auto [spec, kernel] = walk_for(stencil, lead_of(arguments));
  if (arguments.batches == 0) return;
  const generated::StripShape& shape = spec.shape;
  generated::StripArguments<T> walk{arguments.source,
                                    arguments.target,
                                    arguments.source_batch,
                                    arguments.source_row,
                                    arguments.target_batch,
                                    arguments.target_row,
                                    int(arguments.rows),
                                    int(arguments.columns),
                                    0,
                                    shift_of(arguments),
                                    0};
  const std::uintptr_t first =
      address(arguments.source) - std::uintptr_t(walk.shift + spec.lead) * sizeof(T);
  walk.ahead = std::min(int((64 - first % 64) % 64 / 16), generated::more_chunks(spec));
  const long strips = divide_up(walk.columns + walk.shift, generated::strip_columns(spec));
  walk.part = int(rows_of_walks(walk.rows, strips * arguments.batches, shape.warps, spec.height - 1,
                                1, shape.longest));
  // the request for shared memory keeps more than `shape.warps` warps from running on a
  // multiprocessor
  const std::size_t bytes =
      std::max(std::size_t(generated::ring_bytes(spec)), shared_bytes_of_one_of(shape.warps));
  const dim3 grid(unsigned(strips), unsigned(divide_up(walk.rows, walk.part)),
                  unsigned(arguments.batches));
  launch_instance(*kernel, grid, 32, bytes, stream, walk, generated::multiplied_taps(stencil));
}

template bool fits_strip_walk(const KernelArguments<float>&, const Stencil<float>&);
template bool fits_strip_walk(const KernelArguments<double>&, const Stencil<double>&);
template void launch_strip_walk(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_strip_walk(const KernelArguments<double>&, const Stencil<double>&,
                                CUstream_st*);

}  // namespace stencil::cuda
