#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/time_tile.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil {
namespace {

using namespace cpu;

constexpr Index cache_bytes = 640 << 10;  // of 1 MiB and more on server processors
constexpr Index narrowest_panel = 256, widest_panel = 8192;

template <class T>
std::vector<Tap<T>> list_row(const Stencil<T>& stencil) {
  std::vector<Tap<T>> list;
  for (Index i = 0; i < Index(stencil.row.size()); ++i)
    if (stencil.row[i] != 0 || stencil.multiply_zeros) list.push_back({i, stencil.row[i]});
  return list;
}

/// Widest panel whose levels stay in the second-level cache together.
template <class T>
Index panel_of(const TimeSweep<T>& sweep) {
  const Index rows = sweep.rings() * sweep.ring_rows() + 2 * sweep.group();
  const Index row = cache_bytes / Index(sizeof(T)) / rows;
  return std::clamp(row - sweep.widest(0), narrowest_panel, widest_panel) / 64 * 64;
}

}  // namespace

template <class T>
void advance_cpu(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                 FieldView<const T> source, FieldView<T> target) {
  if (points(target.extent) == 0) return;
  const double outputs = double(points(target.extent));
  const TimeSweep<T> sweep{stencil,
                           row_kernels<T>(vector_extension()),
                           edges,
                           steps,
                           source,
                           target,
                           worth_streaming(outputs * sizeof(T)),
                           list_row(stencil)};
  const int threads = worthwhile_threads(outputs * double(steps * stencil.height * stencil.width));
  const WorkCut cut(target.extent, panel_of(sweep), steps * (stencil.height - 1), threads);
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
