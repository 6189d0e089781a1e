#include "kernels/cpu/volume_steps.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "kernels/cpu/direct_planes.hpp"
#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/work_cut.hpp"
#include "kernels/volume_step_depth.hpp"

namespace stencil::cpu {
namespace {

/// Arguments that all tiles of one sweep share.
template <class T>
struct VolumeSweep {
  const Stencil<T>& stencil;
  const StepEdges& edges;
  Index steps;
  FieldView<const T> source;
  FieldView<T> target;
  bool stream;
  DirectPlanes<T> sums;

  const StepAxis& along(int axis) const {
    return axis == batch_axis ? edges.batch : edges.axis[std::size_t(axis - 1)];
  }
};

/// A point beyond an edge of the world along one axis.
struct Ghost {
  Index to;
  std::optional<Index> from;  ///< the point whose value is used; if absent, the boundary value
};

/// Lists the ghost points within `reads` along an axis; there are none for the rule `wrap`.
std::vector<Ghost> ghosts_of(const StepAxis& axis, Interval reads) {
  std::vector<Ghost> ghosts;
  if (axis.rule == BoundaryRule::wrap) return ghosts;
  for (Index at = reads.first; at < std::min(axis.world.first, reads.last); ++at)
    ghosts.push_back({at, axis.source(at)});
  for (Index at = std::max(axis.world.last, reads.first); at < reads.last; ++at)
    ghosts.push_back({at, axis.source(at)});
  return ghosts;
}

/// One tile of the outputs, on one thread.
template <class T>
class VolumeTile {
 public:
  VolumeTile(const VolumeSweep<T>& sweep, const Box& piece)
      : sweep_(sweep),
        piece_(piece),
        ring_planes_(sweep.stencil.depth - 1 + planes_of_step),
        planes_(std::size_t(ring_planes_)),
        targets_(std::size_t(planes_of_step)) {
    for (int axis = 0; axis < axes; ++axis)
      spans_[axis] = level_spans(sweep.along(axis), piece.along(axis), sweep.steps);
    for (const int axis : {y_axis, x_axis}) {
      frame_[axis] = piece.along(axis);
      for (Index level = 1; level < sweep.steps; ++level) {
        const Interval own = span(axis, level), read = reads(axis, level);
        frame_[axis].first = std::min({frame_[axis].first, own.first, read.first});
        frame_[axis].last = std::max({frame_[axis].last, own.last, read.last});
      }
    }
    constexpr Index line = 64 / Index(sizeof(T));
    // in every level, the first column of the outputs has the same alignment to cache lines
    lead_ = (piece.first[x_axis] - frame_[x_axis].first + line - 1) / line * line;
    pitch_ = RowRing<T>::size(1, lead_ + frame_[x_axis].last - piece.first[x_axis]);
    plane_ = pitch_ * frame_[y_axis].extent();
    for (Index level = 1; level <= sweep.steps; ++level)
      levels_.push_back({span(batch_axis, level).first, {}, {}});
    for (Index level = 1; level < sweep.steps; ++level) {
      levels_[level - 1].rows = ghosts_of(sweep.along(y_axis), reads(y_axis, level));
      levels_[level - 1].columns = ghosts_of(sweep.along(x_axis), reads(x_axis, level));
    }
  }

  /// Number of elements of scratch memory: a plane beyond an edge, for the rule `constant`, and the
  /// planes of all levels.
  Index elements() const {
    return sweep_.steps == 1 ? 0 : (1 + (sweep_.steps - 1) * ring_planes_) * plane_;
  }

  /// @param memory  elements() elements, aligned to 64 bytes
  /// @param rows    memory for DirectPlanes::pointers() pointers
  void run(T* memory, const T** rows) {
    memory_ = memory;
    rows_ = rows;
    if (sweep_.steps > 1 && sweep_.edges.batch.rule == BoundaryRule::constant)
      std::fill_n(memory, plane_, T(sweep_.edges.value));
    compute_to(sweep_.steps, piece_.last[batch_axis]);
  }

 private:
  /// A level above 0.
  struct Level {
    Index next;                        ///< first plane that is not computed yet
    std::vector<Ghost> rows, columns;  ///< ghost points that the next level reads
  };

  Interval span(int axis, Index level) const { return spans_[axis][std::size_t(level)]; }
  /// Points of a level that the next level reads.
  Interval reads(int axis, Index level) const {
    return sweep_.along(axis).reads(span(axis, level + 1));
  }

  void compute_to(Index number, Index last) {
    Index& next = levels_[number - 1].next;
    for (Index count; next < last; next += count) {
      count = std::min(planes_of_step, last - next);
      compute(number, next, count);
    }
  }

  /// Computes `count` planes of a level.
  void compute(Index number, Index z, Index count) {
    const StepAxis& along = sweep_.along(batch_axis);
    const Index inputs = sweep_.stencil.depth - 1 + count;
    if (number > 1) {
      Index last = span(batch_axis, number - 1).first;
      for (Index k = 0; k < inputs; ++k)
        if (const auto plane = along.source(z - along.low + k)) last = std::max(last, *plane + 1);
      compute_to(number - 1, last);
    }
    const Interval ys = span(y_axis, number), xs = span(x_axis, number);
    const Index y = ys.first - sweep_.along(y_axis).low, x = xs.first - sweep_.along(x_axis).low;
    for (Index k = 0; k < inputs; ++k) {
      const Index input = z - along.low + k;
      planes_[std::size_t(k)] = number == 1 ? &sweep_.source.at(input, y, x)
                                            : in_plane(input_plane(number - 1, input), y, x);
    }
    const Index pitch = number == 1 ? sweep_.source.row_pitch : pitch_;
    const bool is_last = number == sweep_.steps;
    for (Index k = 0; k < count; ++k)
      targets_[std::size_t(k)] = is_last ? &sweep_.target.at(z + k, ys.first, xs.first)
                                         : in_plane(in_ring(number, z + k), ys.first, xs.first);
    sweep_.sums.sum(planes_.data(), pitch, targets_.data(), {count, ys.extent(), xs.extent()},
                    is_last ? sweep_.target.row_pitch : pitch_, is_last && sweep_.stream, rows_);
    for (Index k = 0; k < count && !is_last; ++k) fill_ghosts(number, in_ring(number, z + k));
  }

  /// Returns plane z of a level above 0, or the plane that the boundary rule uses instead.
  T* input_plane(Index number, Index z) const {
    const auto source = sweep_.along(batch_axis).source(z);
    return source ? in_ring(number, *source) : memory_;
  }
  T* in_ring(Index number, Index z) const {
    const Index slot = (z - span(batch_axis, number).first) % ring_planes_;
    return memory_ + (1 + (number - 1) * ring_planes_ + slot) * plane_;
  }
  T* in_plane(T* plane, Index y, Index x) const {
    return plane + (y - frame_[y_axis].first) * pitch_ + lead_ + x - piece_.first[x_axis];
  }

  void fill_ghosts(Index number, T* plane) const {
    const Level& level = levels_[number - 1];
    const T value = T(sweep_.edges.value);
    const Interval ys = span(y_axis, number), xs = reads(x_axis, number);
    for (Index y = ys.first; y < ys.last && !level.columns.empty(); ++y)
      for (const Ghost& ghost : level.columns)
        *in_plane(plane, y, ghost.to) = ghost.from ? *in_plane(plane, y, *ghost.from) : value;
    for (const Ghost& ghost : level.rows) {
      T* const to = in_plane(plane, ghost.to, xs.first);
      if (ghost.from)
        std::copy_n(in_plane(plane, *ghost.from, xs.first), xs.extent(), to);
      else
        std::fill_n(to, xs.extent(), value);
    }
  }

  const VolumeSweep<T>& sweep_;
  Box piece_;
  Index ring_planes_;  ///< planes that a level keeps: those that planes_of_step planes read
  std::array<std::vector<Interval>, axes> spans_;  ///< points of each level, along each axis
  std::array<Interval, axes> frame_;  ///< points of the planes of all levels, along y and x
  Index lead_ = 0, pitch_ = 0, plane_ = 0;
  std::vector<Level> levels_;
  std::vector<const T*> planes_;
  std::vector<T*> targets_;
  T* memory_ = nullptr;
  const T** rows_ = nullptr;
};

/// Returns the extent of the largest tile.
template <class T>
Point largest_tile(const Stencil<T>& stencil, const Point& extent, Index steps, int threads) {
  const Point mask{stencil.depth, stencil.height, stencil.width};
  const auto [rows, columns] = volume_step_tile({.mask = mask, .element = sizeof(T)}, steps);
  Point largest{extent[batch_axis], std::min(rows, extent[y_axis]),
                std::min(columns, extent[x_axis])};
  const Index tiles = points(BoxCut(extent, largest).parts());
  // Two consecutive boxes both compute up to (depth - 1) * (steps - 1) planes of each level between
  // source and target.
  const Index thinnest = 4 * (stencil.depth - 1) * (steps - 1) + 1;
  const Index planes = extent_for_threads(extent[batch_axis], tiles, threads);
  largest[batch_axis] = std::min(extent[batch_axis], std::max(planes, thinnest));
  return largest;
}

template <class T>
Index most_elements(const VolumeSweep<T>& sweep, const BoxCut& cut) {
  Index elements = 0;
  for (Index n = 0; n < cut.count(); ++n)
    elements = std::max(elements, VolumeTile<T>(sweep, cut.piece(n)).elements());
  return elements;
}

}  // namespace

template <class T>
void advance_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, const StepEdges& edges,
                    Index steps, FieldView<const T> source, FieldView<T> target) {
  const double outputs = double(points(target.extent));
  const VolumeSweep<T> sweep{stencil,
                             edges,
                             steps,
                             source,
                             target,
                             worth_streaming(outputs * sizeof(T)),
                             DirectPlanes<T>(stencil, kernels)};
  const int threads = worthwhile_threads(outputs * double(steps * std::ssize(stencil.taps)));
  const BoxCut cut(target.extent, largest_tile(stencil, target.extent, steps, threads));
  const Scratch<T> memory(threads, most_elements(sweep, cut));
  const Scratch<const T*> rows(threads, sweep.sums.pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const int thread = omp_get_thread_num();
    VolumeTile<T>(sweep, cut.piece(n)).run(memory.of_thread(thread), rows.of_thread(thread));
    if (sweep.stream) kernels.finish_streaming();
  }
}

template <class T>
Index volume_steps_elements(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            const StepEdges& edges, Index steps, const Point& extent, int threads) {
  const VolumeSweep<T> sweep{
      stencil, edges, steps, {}, {}, false, DirectPlanes<T>(stencil, kernels)};
  return most_elements(sweep, BoxCut(extent, largest_tile(stencil, extent, steps, threads)));
}

template <class T>
Index volume_steps_scratch_bytes(const Point& taps, Index steps) {
  const auto [rows, columns] = volume_step_tile({.mask = taps, .element = sizeof(T)}, steps);
  // The points of the lower levels that a tile needs: those that its outputs depend on, and those
  // from which ghost points beyond an edge are copied.
  const auto frame = [&](Index extent, Index width) {
    return extent + (steps - 1) * (width - 1) + width + 1;
  };
  constexpr Index line = 64 / Index(sizeof(T));
  const Index plane =
      RowRing<T>::size(frame(rows, taps[y_axis]), frame(columns, taps[x_axis]) + line);
  const Index planes = 1 + (steps - 1) * (taps[batch_axis] - 1 + planes_of_step);
  return checked_multiply(omp_get_max_threads(),
                          checked_multiply(planes, plane) * Index{sizeof(T)});
}

template Index volume_steps_elements(const Stencil<float>&, const RowKernels<float>&,
                                     const StepEdges&, Index, const Point&, int);
template Index volume_steps_elements(const Stencil<double>&, const RowKernels<double>&,
                                     const StepEdges&, Index, const Point&, int);
template Index volume_steps_scratch_bytes<float>(const Point&, Index);
template Index volume_steps_scratch_bytes<double>(const Point&, Index);
template void advance_volume(const Stencil<float>&, const RowKernels<float>&, const StepEdges&,
                             Index, FieldView<const float>, FieldView<float>);
template void advance_volume(const Stencil<double>&, const RowKernels<double>&, const StepEdges&,
                             Index, FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
