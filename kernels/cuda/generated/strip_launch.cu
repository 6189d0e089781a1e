#include "kernels/cuda/generated/strip_launch.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/generated/strip_arguments.hpp"

namespace stencil::cuda {
namespace {

template <class T>
std::uintptr_t address(T* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

/// Strips begin on this boundary: sectors of memory, in the target as in the source.
constexpr std::uintptr_t sector = 32;

/// Columns by which strips begin before the first output.
template <class T>
int shift_of(FieldView<T> target) {
  return int(address(target.data) % sector / sizeof(T));
}

/// Whether all rows of a view lie alike to sectors.
template <class T>
bool has_aligned_rows(FieldView<T> view) {
  std::uintptr_t pitches = 0;
  if (view.extent[1] > 1) pitches |= std::uintptr_t(view.row_pitch) * sizeof(T);
  if (view.extent[0] > 1) pitches |= std::uintptr_t(view.batch_pitch) * sizeof(T);
  return pitches % sector == 0;
}

}  // namespace

template <class T>
std::optional<int> strip_lead_of(FieldView<const T> source, FieldView<T> target) {
  constexpr Index most = 1 << 30;
  if (!has_aligned_rows(source) || !has_aligned_rows(target)) return {};
  if (target.extent[0] > most_grid_side || source.extent[1] > most || source.extent[2] > most)
    return {};
  const std::uintptr_t begin = address(source.data) - std::uintptr_t(shift_of(target)) * sizeof(T);
  return int(begin % sector / sizeof(T));
}

template <class T>
void launch_strip_walk(const LoadedKernel& kernel, const generated::StripSpec& spec,
                       const std::vector<T>& taps, FieldView<const T> source, FieldView<T> target,
                       CUstream_st* stream) {
  const generated::StripShape& shape = spec.shape;
  generated::StripArguments<T> arguments{source.data,
                                         target.data,
                                         source.batch_pitch,
                                         source.row_pitch,
                                         target.batch_pitch,
                                         target.row_pitch,
                                         int(target.extent[1]),
                                         int(target.extent[2]),
                                         0,
                                         shift_of(target),
                                         0};
  const std::uintptr_t first =
      address(source.data) - std::uintptr_t(arguments.shift + spec.lead) * sizeof(T);
  arguments.ahead = std::min(int((64 - first % 64) % 64 / 16), generated::more_chunks(spec));
  const long columns = generated::strip_columns(spec);
  const long strips = divide_up(arguments.columns + arguments.shift, columns);
  arguments.part = int(rows_of_walks(arguments.rows, strips * target.extent[0], shape.warps,
                                     spec.height - 1, 1, shape.longest));
  // warps beyond those wanted on a multiprocessor are kept away by the memory that each asks for
  const std::size_t bytes =
      std::max(std::size_t(generated::ring_bytes(spec)), shared_bytes_of_one_of(shape.warps));
  kernel.allow_shared_bytes(bytes);
  void* const values = const_cast<T*>(taps.data());
  void* both[] = {&arguments, values};
  kernel.launch({unsigned(strips), unsigned(divide_up(arguments.rows, arguments.part)),
                 unsigned(target.extent[0])},
                32, bytes, stream, both);
}

template std::optional<int> strip_lead_of(FieldView<const float>, FieldView<float>);
template std::optional<int> strip_lead_of(FieldView<const double>, FieldView<double>);
template void launch_strip_walk(const LoadedKernel&, const generated::StripSpec&,
                                const std::vector<float>&, FieldView<const float>, FieldView<float>,
                                CUstream_st*);
template void launch_strip_walk(const LoadedKernel&, const generated::StripSpec&,
                                const std::vector<double>&, FieldView<const double>,
                                FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda
