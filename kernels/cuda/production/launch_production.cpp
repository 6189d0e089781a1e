#include <algorithm>

#include "kernels/cuda/generated/instance.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/cuda/production/volume_choice.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// Returns the arguments of the sweep for one band of a mask: for its rows [first, first + rows)
/// or, if the band is a part of one row, for the taps [left, left + columns) of that row.
template <class T>
KernelArguments<T> band_of(KernelArguments<T> arguments, int first, int rows, int left,
                           int columns) {
  arguments.resume = first > 0 || left > 0;
  arguments.finish = first + rows >= arguments.height && left + columns >= arguments.width;
  arguments.source += first * arguments.source_row + left;
  if (arguments.separable) {
    arguments.column += first;
    arguments.first_tap = first;
  } else {
    arguments.first_tap = long(first) * arguments.width + left;
    arguments.taps += arguments.first_tap;
  }
  arguments.height = std::min(rows, arguments.height - first);
  arguments.width = std::min(columns, arguments.width - left);
  return arguments;
}

/// Whether to queue the work, or only to compile its kernels.
enum class Aim { work, compile };

/// Queues one launch or, for a large mask, one launch per band.
template <class T>
void launch_bands(const KernelArguments<T>& arguments, const Stencil<T>& stencil, Aim aim,
                  CUstream_st* stream) {
  if (const auto plain = plain_first(arguments, stencil)) {
    KernelArguments<T> plain_arguments = arguments;
    plain_arguments.weights.wanted = false;
    launch_bands(plain_arguments, *plain, aim, stream);
    if (aim == Aim::work) repair_generic(arguments, stream);
    return;
  }
  const Choice<T> choice = choose(arguments, stencil);
  const int rows = choice.band_rows, columns = std::min(choice.band_columns, arguments.width);
  for (int first = 0; first < arguments.height; first += rows) {
    for (int left = 0; left < arguments.width; left += columns) {
      KernelArguments<T> band = band_of(arguments, first, rows, left, columns);
      if (aim == Aim::compile) band.batches = 0;
      choice.launch(band, stencil, stream);
    }
  }
}

}  // namespace

template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (points(target.extent) == 0) return;
  if (stencil.depth > 1) return launch_direct_volume(stencil, device_taps, source, target, stream);
  source.batch_pitch *= stencil.plane_stride;  // only these planes are read
  const KernelArguments<T> all = make_arguments(stencil, device_taps, source, target);
  for (long b = 0; b < all.batches; b += most_grid_side) {
    KernelArguments<T> some = all;
    some.batches = std::min(most_grid_side, all.batches - b);
    some.source += b * all.source_batch;
    some.target += b * all.target_batch;
    try {
      launch_bands(some, stencil, Aim::work, stream);
    } catch (const NoInstance&) {
      launch_generic(some, stencil, stream);
    }
  }
}

template <class T>
std::string prepare_production(const Stencil<T>& stencil) {
  if (!generated::can_generate()) return {};
  try {
    if (stencil.depth > 1) {
      VolumeArguments<T> arguments = volume_in_fields(stencil);
      const bool has_kernel = has_volume_kernel(arguments, stencil);
      arguments.sweep.batches = 0;
      if (has_kernel) launch_volume(arguments, stencil, nullptr);
      return {};
    }
    launch_bands(sweep_in_fields(stencil), stencil, Aim::compile, nullptr);
  } catch (const NoInstance& error) {
    return error.what();
  }
  return {};
}

template std::string prepare_production(const Stencil<float>&);
template std::string prepare_production(const Stencil<double>&);
template void launch_production(const Stencil<float>&, const DeviceTaps<float>&,
                                FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_production(const Stencil<double>&, const DeviceTaps<double>&,
                                FieldView<const double>, FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda
