#include "kernels/cpu/advance_cpu.hpp"

#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/time_tile.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/volume_steps.hpp"
#include "kernels/cpu/work_cut.hpp"
#include "kernels/step_depth.hpp"

namespace stencil {
namespace {

using namespace cpu;

template <class T>
std::vector<Tap<T>> list_row(const Stencil<T>& stencil) {
  std::vector<Tap<T>> list;
  for (Index i = 0; i < Index(stencil.row.size()); ++i)
    if (stencil.row[i] != 0 || stencil.multiply_zeros) list.push_back({i, stencil.row[i]});
  return list;
}

/// Returns the taps of a direct 3 x 3 mask that are not skipped (pattern_of_taps), or 0 for any
/// other mask.
template <class T>
unsigned pattern_of(const Stencil<T>& stencil) {
  if (stencil.method != Method::direct || stencil.height != 3 || stencil.width != 3) return 0;
  return pattern_of_taps(stencil.taps, 3, 3, stencil.multiply_zeros);
}

/// Returns whether no tap is skipped in a mask of one row or, for a separable mask, in its row
/// factor.
template <class T>
bool is_line(const Stencil<T>& stencil) {
  const bool is_direct = stencil.method == Method::direct;
  if (is_direct && stencil.height > 1) return false;
  const std::vector<T>& taps = is_direct ? stencil.taps : stencil.row;
  return stencil.multiply_zeros || std::find(taps.begin(), taps.end(), T(0)) == taps.end();
}

}  // namespace

template <class T>
void advance_cpu(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                 FieldView<const T> source, FieldView<T> target) {
  if (points(target.extent) == 0) return;
  if (stencil.depth > 1)
    return advance_volume(stencil, row_kernels<T>(vector_extension()), edges, steps, source,
                          target);
  const double outputs = double(points(target.extent));
  const unsigned pattern = pattern_of(stencil);
  const TimeSweep<T> sweep{stencil,
                           row_kernels<T>(vector_extension()),
                           edges,
                           steps,
                           source,
                           target,
                           worth_streaming(outputs * sizeof(T)),
                           pattern == full_pattern || pattern == plus_pattern,
                           pattern == plus_pattern,
                           is_line(stencil),
                           list_row(stencil)};
  const int threads = worthwhile_threads(outputs * double(steps * stencil.height * stencil.width));
  const Index panel = step_panel({.mask = {stencil.height, stencil.width},
                                  .element = sizeof(T),
                                  .shares_rows = sweep.shares_rows()},
                                 steps);
  const WorkCut cut(target.extent, panel, steps * (stencil.height - 1), threads);
  const Scratch<T> memory(threads, sweep.memory(cut.panel()));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const Box piece = cut.piece(n);
    if (piece.empty()) continue;
    walk_time_tile(sweep, piece, memory.of_thread(omp_get_thread_num()));
    if (sweep.stream) sweep.kernels.finish_streaming();
  }
}

template void advance_cpu(const Stencil<float>&, const StepEdges&, Index, FieldView<const float>,
                          FieldView<float>);
template void advance_cpu(const Stencil<double>&, const StepEdges&, Index, FieldView<const double>,
                          FieldView<double>);

}  // namespace stencil
