#include "drivers/pipeline/device_filter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/stage_kernel.hpp"
#include "drivers/pipeline/work_pieces.hpp"
#include "framework/device/fill_ghosts.hpp"
#include "framework/grid/axis_sources.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Least number of outputs at either end of a row that are computed from a copy. This number is so
/// large that kernels compute whole tiles.
constexpr Index least_side = 32;
/// Alignment in bytes that rows must have for copies in bulk.
constexpr Index bulk_alignment = 16;

/// A field whose memory is released in the order of the work lane.
template <class T>
class TemporaryField {
 public:
  TemporaryField(Executor& executor, const Subdomain& subdomain)
      : layout_(FieldLayout::of(subdomain, sizeof(T))),
        memory_(executor.allocate_temporary(layout_.bytes)),
        field_(Field<T>::adopt(
            subdomain,
            {reinterpret_cast<T*>(memory_.get() + layout_.offset), subdomain.local_extent(),
             layout_.row_pitch * subdomain.local_extent()[1], layout_.row_pitch})) {}

  Field<T>& operator*() { return field_; }
  Field<T>* operator->() { return &field_; }

 private:
  FieldLayout layout_;
  Memory memory_;
  Field<T> field_;
};

/// While an object of this class exists, the exchange lane may use temporary memory. The
/// destructor, which also runs after an exception, makes later work of the work lane wait for the
/// exchange lane.
class BothLanes {
 public:
  explicit BothLanes(Executor& executor) : executor_(executor) {
    executor_.order(Lane::work, Lane::exchange);
  }
  ~BothLanes() {
    try {
      executor_.order(Lane::exchange, Lane::work);
    } catch (const Error&) {  // the next call reports that the device has failed
    }
  }
  BothLanes(const BothLanes&) = delete;
  BothLanes& operator=(const BothLanes&) = delete;

 private:
  Executor& executor_;
};

/// Calls use(part, place) for rectangles of an array that together are a box; `place` is the first
/// batch of the rectangle within the box.
template <class Byte, class Use>
void for_each_rectangle(const FoldedArray<Byte>& array, const Box& box, const Use& use) {
  using Part = std::conditional_t<std::is_const_v<Byte>, ConstRectangle, Rectangle>;
  const int count = array.batch_extent.size();
  const Index run = count == 0 ? 1 : array.batch_extent[count - 1];
  const Index pitch = count == 0 ? 0 : array.batch_stride[count - 1];
  const Interval batches = box.along(batch_axis);
  for (Index b = batches.first; b < batches.last;) {
    const Index next = std::min(batches.last, (b / run + 1) * run);
    Part part{array.row(b, box.first[y_axis]) + box.first[x_axis] * array.x_stride,
              box.extent(),
              {pitch, array.y_stride, array.x_stride}};
    part.extent[batch_axis] = next - b;
    use(part, b - batches.first);
    b = next;
  }
}

template <class T>
Rectangle batches_of(const FieldView<T>& view, Index first, Index count) {
  Rectangle part = rectangle_of(view);
  part.origin += first * part.stride[batch_axis];
  part.extent[batch_axis] = count;
  return part;
}

template <class T>
void copy_in(Executor& executor, const FoldedArray<const std::byte>& array, const Box& box,
             const FieldView<T>& to) {
  for_each_rectangle(array, box, [&](const ConstRectangle& part, Index first) {
    executor.copy(part, batches_of(to, first, part.extent[batch_axis]), sizeof(T));
  });
}

template <class T>
void copy_out(Executor& executor, const FieldView<T>& from, const FoldedArray<std::byte>& array,
              const Box& box) {
  for_each_rectangle(array, box, [&](const Rectangle& part, Index first) {
    executor.copy(batches_of(from, first, part.extent[batch_axis]), part, sizeof(T));
  });
}

/// Returns, in order, the sources of those indices of an interval that have a source.
std::vector<GhostRun> runs_of(const Interval& wanted, const AxisSources& sources) {
  std::vector<GhostRun> runs = sources.ghosts;
  if (!sources.inside.empty())
    runs.push_back({sources.inside.first, sources.inside.first, sources.inside.extent(), 1});
  for (GhostRun& run : runs) run.ghost -= wanted.first;
  return runs;
}

/// Copies a box of points that may extend beyond the edges of the array into a tile. Points beyond
/// the edges follow the boundary rules.
template <class T>
void fill_tile(Executor& executor, const FieldView<const T>& array, const Box& box,
               const Boundary& boundary, const FieldView<T>& tile, Lane lane) {
  std::array<std::vector<GhostRun>, axes> runs;
  const auto value = static_cast<T>(boundary.value);
  for (int axis = 0; axis < axes; ++axis) {
    const Interval wanted = box.along(axis);
    const AxisSources sources = axis_sources(wanted, boundary.rule[axis], array.extent[axis]);
    runs[axis] = runs_of(wanted, sources);
    for (const Interval& beyond : sources.constant) {
      Box part = make_box(tile.extent);
      part.set(axis, {beyond.first - wanted.first, beyond.last - wanted.first});
      executor.fill(rectangle_of(tile.window(part)), &value, sizeof(T), lane);
    }
  }
  for (const GhostRun& b : runs[0])
    for (const GhostRun& y : runs[1])
      for (const GhostRun& x : runs[2]) {
        ConstRectangle from = rectangle_of(array);
        Rectangle to = rectangle_of(tile);
        const std::array<const GhostRun*, axes> of{&b, &y, &x};
        for (int axis = 0; axis < axes; ++axis) {
          from.origin += of[axis]->source * from.stride[axis];
          from.stride[axis] *= of[axis]->step;
          to.origin += of[axis]->ghost * to.stride[axis];
          from.extent[axis] = to.extent[axis] = of[axis]->count;
        }
        executor.copy(from, to, sizeof(T), lane);
      }
}

template <class T>
bool is_aligned(const FieldView<T>& view) {
  const auto fits = [](Index bytes) { return bytes % bulk_alignment == 0; };
  return fits(Index(reinterpret_cast<std::uintptr_t>(view.data))) &&
         fits(view.row_pitch * Index{sizeof(T)}) && fits(view.batch_pitch * Index{sizeof(T)});
}

/// Returns a subdomain of the inputs in `reads`, in which the point under the mask's centre is
/// aligned.
Subdomain tile_of(const BoundStage& stage, const Box& reads) {
  Subdomain tile{reads, {}};
  tile.halo.low[x_axis] = stage.sampling[x_axis].centre;
  tile.owned.first[x_axis] += tile.halo.low[x_axis];
  return tile;
}

}  // namespace

template <class T>
DeviceFilter<T>::DeviceFilter(Executor& executor, Chain chain, Index least_in_place)
    : executor_(executor),
      chain_(std::move(chain)),
      stage_(chain_.stages.front()),
      least_in_place_(least_in_place),
      kernel_(bind_kernel<T>(executor, stage_)),
      ghosts_(exchange_plan(0, stage_.input, stage_.halo, stage_.boundary)) {}

template <class T>
DeviceFilter<T>::~DeviceFilter() {
  try {
    executor_.synchronize();
  } catch (const Error&) {  // the next call reports that the device has failed
  }
}

template <class T>
void DeviceFilter<T>::run(const FoldedArray<const std::byte>& input,
                          const FoldedArray<std::byte>& output, bool shares_memory) const {
  const std::optional<FieldView<const T>> source = as_field_view<T>(input);
  const std::optional<FieldView<T>> target = as_field_view<T>(output);
  if (!shares_memory && source && target)
    if (const Box inner = inner_outputs(*source); !inner.empty())
      return run_in_place(inner, input, *source, *target);
  run_from_copy(input, output);
}

/// Returns the outputs that are computed in place, because they read no points beyond the edges.
template <class T>
Box DeviceFilter<T>::inner_outputs(const FieldView<const T>& source) const {
  const Box all = make_box(stage_.output.shape());
  // Transforms read whole pairs of blocks, so splitting would repeat work.
  if (stage_.steps > 1 || stage_.choice.method == Method::fft || !is_aligned(source) ||
      all.points() < least_in_place_)
    return {};
  Box inner = split_work(all, all, stage_.sampling, {true, true, true}).inner;
  const Interval columns = all.along(x_axis), within = inner.along(x_axis);
  const auto whole = [](Index side) { return (side + least_side - 1) / least_side * least_side; };
  inner.set(x_axis, {columns.first + whole(within.first - columns.first),
                     columns.last - whole(columns.last - within.last)});
  return inner.empty() ? Box{} : inner;
}

template <class T>
void DeviceFilter<T>::run_in_place(const Box& inner, const FoldedArray<const std::byte>& input,
                                   const FieldView<const T>& source,
                                   const FieldView<T>& target) const {
  const std::vector<Box> sides = around(make_box(input.extent), inner);
  std::deque<TemporaryField<T>> tiles;
  for (const Box& side : sides)
    tiles.emplace_back(executor_, tile_of(stage_, reads_of(stage_, side)));
  // the sides are computed at the same time as the inner outputs
  const BothLanes lanes(executor_);  // destroyed before the tiles
  run_step(stage_, *kernel_, source.window(reads_of(stage_, inner)), target.window(inner),
           inner.first, Lane::work);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Field<T>& tile = *tiles[k];
    fill_tile(executor_, source, reads_of(stage_, sides[k]), stage_.boundary, tiles[k]->ghosted(),
              Lane::exchange);
    run_step(stage_, *kernel_, tile.ghosted(), target.window(sides[k]), sides[k].first,
             Lane::exchange);
  }
}

template <class T>
void DeviceFilter<T>::run_from_copy(const FoldedArray<const std::byte>& input,
                                    const FoldedArray<std::byte>& output) const {
  const Box all = make_box(stage_.output.shape());
  const Subdomain inputs{make_box(stage_.input.shape()), stage_.halo};
  std::optional<TemporaryField<T>> points(std::in_place, executor_, inputs), other, result;
  std::optional<FieldView<T>> target = as_field_view<T>(output);
  copy_in(executor_, input, all, (*points)->owned());
  for (Index done = 0; done < stage_.steps;) {
    const Index steps = std::min(stage_.steps_per_sweep, stage_.steps - done);
    done += steps;
    const bool is_last = done == stage_.steps;
    if (!is_last && !other) other.emplace(executor_, inputs);
    if (is_last && !target) result.emplace(executor_, Subdomain{all, {}});
    const FieldView<T> to = !is_last ? (*other)->owned() : target ? *target : (*result)->owned();
    for (const ExchangePhase& phase : ghosts_)
      fill_ghosts(executor_, **points, phase, static_cast<T>(stage_.boundary.value));
    const Field<T>& from = **points;
    if (stage_.steps_per_sweep == 1)
      run_step(stage_, *kernel_, from.window(reads_of(stage_, all)), to, all.first);
    else
      run_steps(stage_, *kernel_, steps, all, from.window(all), to);
    if (!is_last) {
      std::swap(points, other);
      executor_.limit_queue_depth();
    }
  }
  if (result) copy_out(executor_, (*result)->owned(), output, all);
}

template class DeviceFilter<float>;
template class DeviceFilter<double>;

}  // namespace stencil
