#include "drivers/pipeline/array_chain.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/field_buffer.hpp"
#include "drivers/pipeline/stage_kernel.hpp"
#include "drivers/pipeline/work_pieces.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/fill_ghosts.hpp"

namespace stencil {
namespace {

constexpr Index vector_points = 16;  // number of float32 points in the longest SIMD vectors

/// Memory of one thread for one box of inputs and one box of outputs.
struct TileBuffers {
  FieldBuffer inputs, outputs;
};

/// Returns a box relative to the first point of `covered`.
Box within(const Box& box, const Box& covered) {
  Point offset;
  for (int axis = 0; axis < axes; ++axis) offset[axis] = -covered.first[axis];
  return shifted(box, offset);
}

/// Returns a subdomain of the inputs in `reads`. Its rows are laid out such that the point under
/// the mask's centre starts a cache line.
Subdomain tile_of(const BoundStage& stage, const Box& reads) {
  Subdomain tile{reads, {}};
  tile.halo.low[x_axis] = stage.sampling[x_axis].centre;
  tile.owned.first[x_axis] += tile.halo.low[x_axis];
  return tile;
}

/// Returns whether neighbouring points along x are in different cache lines.
template <class Byte>
bool is_strided(const FoldedArray<Byte>& array) {
  return std::abs(array.x_stride) >= 64;
}

/// Returns the outputs that are computed directly from the source. The other outputs read points
/// beyond `covered`.
Box computed_in_place(const BoundStage& stage, const Box& outputs, const Box& covered) {
  if (covered.contains(reads_of(stage, outputs))) return outputs;
  // Transforms read whole pairs of blocks, so splitting a small box would repeat work.
  if (stage.choice.method == Method::fft || outputs.points() <= small_box) return {};
  Box inner = split_work(outputs, covered, stage.sampling, {true, true, true}).inner;
  // The sides are widened to whole vectors of columns, because kernels compute the columns after
  // the last whole vector point by point.
  const auto whole = [](Index columns) {
    return (columns + vector_points - 1) / vector_points * vector_points;
  };
  const Interval all = outputs.along(x_axis);
  inner.set(x_axis, {all.first + whole(inner.first[x_axis] - all.first),
                     all.last - whole(all.last - inner.last[x_axis])});
  return inner.empty() ? Box{} : inner;
}

}  // namespace

template <class T>
ArrayChain<T>::ArrayChain(Chain chain) : chain_(std::move(chain)) {
  CpuExecutor host;
  for (const BoundStage& stage : chain_.stages)
    stages_.push_back({stage, bind_kernel<T>(host, stage),
                       exchange_plan(0, stage.input, stage.halo, stage.boundary)});
}

/// Returns the subdomain of a stage's inputs with their ghost points.
template <class T>
Subdomain ArrayChain<T>::subdomain_of(std::size_t stage) const {
  const BoundStage& plan = stages_[stage].plan;
  return {make_box(plan.input.shape()), plan.halo};
}

/// Copies an array into a field, and fills the ghost points according to the boundary rules of the
/// stage.
template <class T>
auto ArrayChain<T>::load(std::size_t stage, const Source& source, Field<T>& field) const -> Source {
  const Box all = field.subdomain().ghosted();
  for_each_piece(cut_pieces(all, omp_get_max_threads()), [&](const Box& piece, int) {
    read_tile(*source.array, piece, stages_[stage].plan.boundary, field.window(piece));
  });
  return {nullptr, field.ghosted(), all};
}

/// Fills the ghost points of a field.
template <class T>
auto ArrayChain<T>::filled(std::size_t stage, Field<T>& field) const -> Source {
  CpuExecutor host;
  for (const ExchangePhase& phase : stages_[stage].ghosts)
    fill_ghosts(host, field, phase, static_cast<T>(stages_[stage].plan.boundary.value));
  return {nullptr, field.ghosted(), field.subdomain().ghosted()};
}

template <class T>
void ArrayChain<T>::run(const FoldedArray<const std::byte>& input,
                        const FoldedArray<std::byte>& output, IntegerCast cast,
                        void (*between_parts)()) const {
  CpuExecutor host;
  std::optional<Field<T>> points, spare;  // the sweeps of one stage alternate between two fields
  Source source{&input, as_field_view<T>(input), make_box(input.extent)};
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const StageWork& work = stages_[s];
    spare.reset();
    for (Index done = 0; done < work.plan.steps;) {
      if (between_parts != nullptr && points) between_parts();
      const Index steps = std::min(work.plan.steps_per_sweep, work.plan.steps - done);
      done += steps;
      const bool ends_stage = done == work.plan.steps;
      if (!points && work.plan.steps_per_sweep > 1) {
        points.emplace(host, subdomain_of(s));
        source = load(s, source, *points);
      } else if (points) {
        source = filled(s, *points);
      }
      if (ends_stage && s + 1 == stages_.size())
        return sweep(work, steps, source, {&output, as_field_view<T>(output), cast, between_parts});
      Field<T> next = ends_stage ? Field<T>(host, subdomain_of(s + 1))
                      : spare    ? *std::exchange(spare, std::nullopt)
                                 : Field<T>(host, subdomain_of(s));
      sweep(work, steps, source, {nullptr, next.owned(), cast, between_parts});
      spare = std::move(points);
      points = std::move(next);
    }
  }
}

template <class T>
void ArrayChain<T>::sweep(const StageWork& work, Index steps, const Source& source,
                          const Target& target) const {
  if (work.plan.steps_per_sweep == 1) return step(work, source, target);
  CpuExecutor host;
  const Box all = make_box(work.plan.output.shape());
  std::optional<Field<T>> copy;
  if (!target.view) copy.emplace(host, Subdomain{all, {}});
  run_steps(work.plan, *work.kernel, steps, all, source.view->window(within(all, source.covered)),
            copy ? copy->owned() : *target.view);
  if (!copy) return;
  const Field<T>& computed = *copy;
  for_each_piece(cut_pieces(all, omp_get_max_threads()), [&](const Box& piece, int) {
    write_tile(computed.window(piece), *target.array, piece, target.cast);
  });
}

template <class T>
void ArrayChain<T>::step(const StageWork& work, const Source& source, const Target& target) const {
  const BoundStage& stage = work.plan;
  const Box all = make_box(stage.output.shape());
  const int threads = omp_get_max_threads();
  CpuExecutor host;
  std::vector<TileBuffers> buffers(static_cast<std::size_t>(threads));
  const auto compute = [&](const Box& outputs, int thread) {
    TileBuffers& own = buffers[static_cast<std::size_t>(thread)];
    const Box reads = reads_of(stage, outputs);
    FieldView<const T> from;
    if (source.view && source.covered.contains(reads)) {
      from = source.view->window(within(reads, source.covered));
    } else {
      Field<T> tile = own.inputs.template field<T>(host, tile_of(stage, reads));
      read_tile(*source.array, reads, stage.boundary, tile.ghosted());
      from = tile.ghosted();
    }
    if (target.view)
      return run_step(stage, *work.kernel, from, target.view->window(outputs), outputs.first);
    Field<T> tile = own.outputs.template field<T>(host, {outputs, {}});
    run_step(stage, *work.kernel, from, tile.owned(), outputs.first);
    write_tile(FieldView<const T>(tile.owned()), *target.array, outputs, target.cast);
  };
  const Box inner = source.view ? computed_in_place(stage, all, source.covered) : Box{};
  const bool is_square =
      (!source.view && is_strided(*source.array)) || (!target.view && is_strided(*target.array));
  std::vector<Box> pieces;
  const auto add = [&](const Box& box) {
    const std::vector<Box> more = cut_pieces(stage, box, threads, is_square);
    pieces.insert(pieces.end(), more.begin(), more.end());
  };
  // Kernels use all threads for a large box that they can read and write directly.
  if (!target.view) {
    add(inner);
  } else if (target.between_parts == nullptr) {
    if (!inner.empty()) compute(inner, 0);
  } else {
    for (const Box& part : cut_parts(stage, inner)) {
      target.between_parts();
      compute(part, 0);
    }
  }
  for (const Box& box : around(all, inner)) add(box);
  for_each_piece(stage, pieces, target.between_parts, compute);
}

template class ArrayChain<float>;
template class ArrayChain<double>;

}  // namespace stencil
