#include "kernels/cuda/steps/step_sweeps.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "framework/grid/error.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/generated/source_instance.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/steps/any_tiles.hpp"
#include "kernels/cuda/steps/step_areas.hpp"
#include "kernels/generated/compiled_kernel.hpp"
#include "kernels/generated/step_source.hpp"

namespace stencil::cuda {
namespace {

/// Least number of points of a block for which compiling a kernel may be worth the time.
constexpr Index least_points = 1 << 16;
constexpr Index most_batches = 65535;  ///< batches of one launch

/// Returns whether the first point of every row is aligned to 16 bytes.
template <class T>
bool begins_16_bytes(const FieldView<T>& view) {
  constexpr Index count = 16 / Index(sizeof(T));
  return reinterpret_cast<std::uintptr_t>(view.data) % 16 == 0 && view.batch_pitch % count == 0 &&
         view.row_pitch % count == 0;
}

/// Returns a kernel that stays loaded until the process ends, or null if it cannot be compiled or
/// loaded. In this case, the kernel that was compiled ahead is used.
const LoadedKernel* load(const std::string& source, const std::string& name,
                         std::size_t shared_bytes) {
  try {
    const LoadedKernel& kernel = instance_of_source(
        source, [&] { return source; }, name);
    kernel.allow_shared_bytes(shared_bytes);
    return &kernel;
  } catch (const NoInstance&) {
    return nullptr;
  } catch (const MachineError&) {  // the device refuses so much shared memory
    return nullptr;
  }
}

template <class T>
AnyMask<T> any_mask(const Stencil<T>& stencil) {
  AnyMask<T> mask{int(stencil.height), int(stencil.width), stencil.method == Method::separable,
                  !stencil.multiply_zeros};
  if (mask.separable) {
    std::copy(stencil.row.begin(), stencil.row.end(), mask.taps);
    std::copy(stencil.column.begin(), stencil.column.end(), mask.taps + stencil.width);
  } else {
    std::copy(stencil.taps.begin(), stencil.taps.end(), mask.taps);
  }
  return mask;
}

template <class T>
FieldView<T> part_of(const FieldView<T>& view, const StepArea& area) {
  return {view.data + area.y.first * view.row_pitch + area.x.first,
          {view.extent[0], area.y.extent(), area.x.extent()},
          view.batch_pitch,
          view.row_pitch};
}

}  // namespace

/// Data of one call of advance.
template <class T>
struct StepSweeps<T>::Sweep {
  generated::StepMask mask;
  StepEdges edges;
  int depth;
  FieldView<const T> source;
  FieldView<T> target;
  StepAreas areas;
};

template <class T>
StepSweeps<T>::StepSweeps(const Stencil<T>& stencil)
    : stencil_(stencil), taps_(generated::step_taps(stencil)) {}

template <class T>
void StepSweeps<T>::advance(const StepEdges& world, Index steps, FieldView<const T> source,
                            FieldView<T> target, const StepStreams& streams) {
  const auto mask = generated::step_mask(stencil_, {world.axis[0].low, world.axis[1].low});
  if (!mask || steps < 1 || steps > generated::most_depth ||
      world.axis[0].low != world.axis[0].high || world.axis[1].low != world.axis[1].high)
    throw std::logic_error("no kernel for this number of steps of this stencil");
  if (points(target.extent) == 0) return;
  Sweep sweep{*mask, world, int(steps), source, target, {}};
  // planes of one row are treated as the rows of one plane, so that tiles and strips contain many
  // of these planes
  if (stencil_.height == 1 && target.extent[1] == 1) {
    sweep.source = source.transposed_outer();
    sweep.target = target.transposed_outer();
    sweep.edges.axis[0] = {{0, sweep.target.extent[1]}, BoundaryRule::wrap, 0, 0};
  }
  const Index rows = sweep.target.extent[1], columns = sweep.target.extent[2];
  sweep.areas = cut_sweep(sweep.edges, rows, columns, steps, 32 / Index(sizeof(T)));
  const bool may_compile = points(target.extent) >= least_points && generated::may_generate();
  const StepArea strips = sweep.areas.strips;
  const Walk* walk = nullptr;
  if (may_compile && !strips.empty() && begins_16_bytes(part_of(sweep.source, strips)) &&
      begins_16_bytes(part_of(sweep.target, strips)))
    walk = &walk_for(*mask, int(steps));
  const bool has_strips = walk != nullptr && walk->kernel != nullptr;
  if (!has_strips) sweep.areas = {{}, {{{0, rows}, {0, columns}}}};
  launch_tiles(sweep, may_compile, streams.frame);
  if (has_strips) launch_strips(sweep, *walk, streams.strips);
}

template <class T>
const typename StepSweeps<T>::Walk& StepSweeps<T>::walk_for(const generated::StepMask& mask,
                                                            int depth) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = walks_.try_emplace(depth);
  Walk& walk = at->second;
  if (!is_new) return walk;
  walk.shape = generated::make_step_walk(mask, depth);
  const std::size_t bytes = walk.shape.bytes();
  if (bytes > most_shared_bytes()) return walk;
  walk.kernel =
      load(generated::step_walk_source(mask, walk.shape), generated::step_walk_kernel, bytes);
  if (walk.kernel == nullptr) return walk;
  walk.resident = walk.kernel->resident_blocks(32 * walk.shape.warps(), bytes);
  if (walk.resident < 1) walk.kernel = nullptr;
  return walk;
}

template <class T>
const LoadedKernel* StepSweeps<T>::tiles_for(const generated::StepMask& mask) {
  const std::lock_guard lock(mutex_);
  if (!has_tiles_)
    tiles_ =
        load(generated::step_tiles_source(mask), generated::step_tiles_kernel, most_shared_bytes());
  has_tiles_ = true;
  return tiles_;
}

template <class T>
void StepSweeps<T>::launch_tiles(const Sweep& sweep, bool may_compile, CUstream_st* stream) {
  if (sweep.areas.frame.empty()) return;
  auto arguments = cut_tiles<T>(sweep.areas.frame, sweep.edges, sweep.mask, sweep.depth);
  arguments.source = sweep.source.data;
  arguments.target = sweep.target.data;
  arguments.source_batch = sweep.source.batch_pitch;
  arguments.source_row = sweep.source.row_pitch;
  arguments.target_batch = sweep.target.batch_pitch;
  arguments.target_row = sweep.target.row_pitch;
  const std::size_t bytes = tile_bytes(arguments, sweep.mask);
  const auto blocks = unsigned(arguments.tiles * sweep.target.extent[0]);
  const LoadedKernel* const kernel = may_compile ? tiles_for(sweep.mask) : nullptr;
  if (kernel == nullptr)
    return launch_any_tiles(arguments, any_mask(stencil_), blocks, bytes, stream);
  void* both[] = {&arguments, taps_.data()};
  kernel->launch({blocks, 1, 1}, threads_of_tiles, bytes, stream, both);
}

template <class T>
void StepSweeps<T>::launch_strips(const Sweep& sweep, const Walk& walk, CUstream_st* stream) {
  constexpr Index most = Index{1} << 30;  // indices of columns of strips are 32-bit integers
  constexpr Index few_rows = 64;
  const Index outputs = generated::output_columns(sweep.mask, walk.shape);
  const StepArea& all = sweep.areas.strips;
  for (Index first = all.x.first; first < all.x.last; first += most) {
    const StepArea area{all.y, {first, std::min(all.x.last, first + most)}};
    const FieldView<const T> source = part_of(sweep.source, area);
    const FieldView<T> target = part_of(sweep.target, area);
    const Index whole = area.x.extent() / outputs;
    if (sweep.mask.height > 1 || area.y.extent() > few_rows || whole == 0) {
      launch_walk(sweep, walk, source, target, stream);
      continue;
    }
    // few long lines: each line is cut into pieces, which become the rows of one strip
    for (Index y = 0; y < area.y.extent(); ++y) {
      const auto pieces = [&](auto view, Index from, Index count, Index columns) {
        view.data += y * view.row_pitch + from;
        view.extent = {view.extent[0], count, columns};
        view.row_pitch = outputs;
        return view;
      };
      launch_walk(sweep, walk, pieces(source, 0, whole, outputs), pieces(target, 0, whole, outputs),
                  stream);
      const Index rest = area.x.extent() - whole * outputs;
      if (rest > 0)
        launch_walk(sweep, walk, pieces(source, whole * outputs, 1, rest),
                    pieces(target, whole * outputs, 1, rest), stream);
    }
  }
}

template <class T>
void StepSweeps<T>::launch_walk(const Sweep& sweep, const Walk& walk,
                                const FieldView<const T>& source, const FieldView<T>& target,
                                CUstream_st* stream) {
  const generated::StepWalk& shape = walk.shape;
  generated::StepArguments<T> arguments{
      source.data,           target.data,           source.batch_pitch,
      source.row_pitch,      target.batch_pitch,    target.row_pitch,
      int(target.extent[1]), int(target.extent[2]), 0};
  const Index outputs = generated::output_columns(sweep.mask, shape);
  const Index strips = (target.extent[2] + outputs - 1) / outputs;
  const Index extra = shape.depth * (sweep.mask.height - 1) + shape.warps() * shape.turn;
  const Index wanted = best_parts(target.extent[1], strips * target.extent[0],
                                  Index(walk.resident) * multiprocessors(), extra);
  arguments.part = int((target.extent[1] + wanted - 1) / wanted);
  const Index parts = (target.extent[1] + arguments.part - 1) / arguments.part;
  for (Index batch = 0; batch < target.extent[0]; batch += most_batches) {
    const Index batches = std::min(most_batches, target.extent[0] - batch);
    arguments.source = source.data + batch * source.batch_pitch;
    arguments.target = target.data + batch * target.batch_pitch;
    void* both[] = {&arguments, taps_.data()};
    walk.kernel->launch({unsigned(strips), unsigned(parts), unsigned(batches)},
                        unsigned(32 * shape.warps()), shape.bytes(), stream, both);
  }
}

template class StepSweeps<float>;
template class StepSweeps<double>;

}  // namespace stencil::cuda
