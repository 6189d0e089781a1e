#include "drivers/pipeline/row_masks.hpp"

#include <exception>
#include <string>
#include <vector>

#include "kernels/bind/bind_stencil.hpp"

namespace stencil {
namespace {

/// Numbers of points of a mask of one axis before and after its centre.
struct Reach {
  Index low, high;
};

Reach reach_of(const Mask& mask) {
  const bool is_along_x = mask.axis == x_axis;
  const Index taps = is_along_x ? mask.taps.width : mask.taps.height;
  const Index centre = mask.centre[is_along_x ? 1 : 0];
  return {centre, taps - 1 - centre};
}

/// Binds the mask of a row when the row is computed. A copy of all masks in the memory of every
/// kernel would need much more memory, and copying a mask takes less time than
/// computing one row of outputs with it.
template <class T>
class RowMasks final : public BoundStencil<T> {
 public:
  RowMasks(Executor& executor, const BoundStage& stage)
      : executor_(executor),
        rows_(*stage.rows),
        mask_axis_(stage.mask_axis),
        sampling_(stage.sampling[rows_.axis]),
        stride_(stage.stride),
        min_valid_(stage.min_valid),
        widest_(reach_of(stage.choice.mask)),
        name_(bound(rows_.masks->front())->name()) {}

  std::string name() const override { return name_; }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    const int rows = in_views(rows_.axis), along = in_views(mask_axis_);
    const Index count = std::ssize(*rows_.masks);
    if (count == 1) return run_row(0, along, source, target, lane, anchor);
    std::exception_ptr failure;
    // the rows are independent and distributed over the threads, so each kernel runs in a single
    // thread
#pragma omp parallel for schedule(dynamic)
    for (Index k = 0; k < target.extent[rows]; ++k) try {
        // windows of a periodic axis may extend beyond its edges
        const Index row = (sampling_.first + anchor.first[rows_.axis] + k) % count;
        Box in = make_box(source.extent), out = make_box(target.extent);
        in.set(rows, {k, k + 1});
        out.set(rows, {k, k + 1});
        run_row(row < 0 ? row + count : row, along, source.window(in), target.window(out), lane,
                anchor);
      } catch (...) {  // no memory for the mask; no exception may leave the parallel loop
#pragma omp critical(stencil_row_masks)
        failure = std::current_exception();
      }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  std::unique_ptr<BoundStencil<T>> bound(const Mask& mask) const {
    return bind_stencil<T>(executor_, make_stencil<T>(mask, Method::direct, stride_, min_valid_));
  }

  /// Returns the axis of a view that corresponds to an axis of the world. For masks along batch,
  /// the axes batch and y are exchanged in views.
  int in_views(int axis) const {
    if (mask_axis_ != batch_axis || axis == x_axis) return axis;
    return axis == batch_axis ? y_axis : batch_axis;
  }

  void run_row(Index row, int along, const FieldView<const T>& source, const FieldView<T>& target,
               Lane lane, const Anchor& anchor) const {
    const Mask& mask = (*rows_.masks)[static_cast<std::size_t>(row)];
    const Reach own = reach_of(mask);
    Box part = make_box(source.extent);
    part.set(along, {widest_.low - own.low, source.extent[along] - (widest_.high - own.high)});
    bound(mask)->run(source.window(part), target, lane, anchor);
  }

  Executor& executor_;
  const VaryingRows rows_;
  int mask_axis_;
  AxisSampling sampling_;  ///< along the axis of the rows
  std::array<Index, 2> stride_;
  std::optional<double> min_valid_;
  Reach widest_;
  std::string name_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_row_masks(Executor& executor, const BoundStage& stage) {
  return std::make_unique<RowMasks<T>>(executor, stage);
}

template std::unique_ptr<BoundStencil<float>> bind_row_masks(Executor&, const BoundStage&);
template std::unique_ptr<BoundStencil<double>> bind_row_masks(Executor&, const BoundStage&);

}  // namespace stencil
