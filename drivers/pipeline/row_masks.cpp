#include "drivers/pipeline/row_masks.hpp"

#include <utility>
#include <vector>

#include "kernels/bind/bind_stencil.hpp"

namespace stencil {
namespace {

/// The points of a mask of one axis before and behind its centre.
struct Reach {
  Index low, high;
};

Reach reach_of(const Mask& mask) {
  const bool is_along_x = mask.axis == x_axis;
  const Index taps = is_along_x ? mask.taps.width : mask.taps.height;
  const Index centre = mask.centre[is_along_x ? 1 : 0];
  return {centre, taps - 1 - centre};
}

template <class T>
class RowMasks final : public BoundStencil<T> {
 public:
  RowMasks(Executor& executor, const BoundStage& stage)
      : axis_(stage.rows->axis),
        mask_axis_(stage.mask_axis),
        sampling_(stage.sampling[axis_]),
        widest_(reach_of(stage.choice.mask)) {
    for (const Mask& mask : stage.rows->masks) {
      kernels_.push_back(bind_stencil<T>(
          executor, make_stencil<T>(mask, Method::direct, stage.stride, stage.min_valid)));
      reaches_.push_back(reach_of(mask));
    }
  }

  std::string name() const override { return kernels_.front()->name(); }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    const int rows = in_views(axis_), along = in_views(mask_axis_);
    const auto count = static_cast<Index>(kernels_.size());
    if (count == 1) return run_row(0, along, source, target, lane, anchor);
      // the rows are independent, so the loops of the kernels run in one thread each
#pragma omp parallel for schedule(dynamic)
    for (Index k = 0; k < target.extent[rows]; ++k) {
      // windows of a periodic axis may extend beyond its edges
      const Index row = (sampling_.first + anchor.first[axis_] + k) % count;
      Box in = make_box(source.extent), out = make_box(target.extent);
      in.set(rows, {k, k + 1});
      out.set(rows, {k, k + 1});
      run_row(row < 0 ? row + count : row, along, source.window(in), target.window(out), lane,
              anchor);
    }
  }

 private:
  /// Returns the axis of views, in which batch and y are exchanged for masks along batch.
  int in_views(int axis) const {
    if (mask_axis_ != batch_axis || axis == x_axis) return axis;
    return axis == batch_axis ? y_axis : batch_axis;
  }

  void run_row(Index row, int along, const FieldView<const T>& source, const FieldView<T>& target,
               Lane lane, const Anchor& anchor) const {
    const Reach& own = reaches_[static_cast<std::size_t>(row)];
    Box part = make_box(source.extent);
    part.set(along, {widest_.low - own.low, source.extent[along] - (widest_.high - own.high)});
    kernels_[static_cast<std::size_t>(row)]->run(source.window(part), target, lane, anchor);
  }

  std::vector<std::unique_ptr<BoundStencil<T>>> kernels_;
  std::vector<Reach> reaches_;
  int axis_, mask_axis_;
  AxisSampling sampling_;  ///< along axis_
  Reach widest_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> bind_row_masks(Executor& executor, const BoundStage& stage) {
  return std::make_unique<RowMasks<T>>(executor, stage);
}

template std::unique_ptr<BoundStencil<float>> bind_row_masks(Executor&, const BoundStage&);
template std::unique_ptr<BoundStencil<double>> bind_row_masks(Executor&, const BoundStage&);

}  // namespace stencil
