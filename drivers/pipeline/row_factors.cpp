#include "drivers/pipeline/row_factors.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace stencil {
namespace {

template <class T>
T scaled(T value, double factor) {
  const auto result = static_cast<T>(double{value} * factor);
  return std::isnan(result) ? std::numeric_limits<T>::quiet_NaN() : result;
}

template <class T>
class RowFactors final : public BoundStencil<T> {
 public:
  RowFactors(std::unique_ptr<BoundStencil<T>> kernel, const BoundStage& stage)
      : kernel_(std::move(kernel)),
        rows_(*stage.rows),
        sampling_(stage.sampling[rows_.axis]),
        is_turned_(stage.mask_axis == batch_axis) {}

  std::string name() const override { return kernel_->name(); }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    kernel_->run(source, target, lane, anchor);
    if (is_turned_) target = target.transposed_outer();
    const Index first = anchor.first[rows_.axis];
    const Index lines = target.extent[batch_axis] * target.extent[y_axis];
#pragma omp parallel for schedule(static)
    for (Index line = 0; line < lines; ++line) {
      const Index b = line / target.extent[y_axis], y = line % target.extent[y_axis];
      T* const points = &target.at(b, y, 0);
      if (rows_.axis == x_axis) {
        for (Index x = 0; x < target.extent[x_axis]; ++x)
          points[x] = scaled(points[x], factor(first + x));
      } else {
        const double all = factor(first + (rows_.axis == y_axis ? y : b));
        for (Index x = 0; x < target.extent[x_axis]; ++x) points[x] = scaled(points[x], all);
      }
    }
  }

 private:
  /// Returns the factor of an output, given by its index along the axis of the factors.
  double factor(Index output) const {
    const Index count = std::ssize(rows_.factors);
    // windows of a periodic axis may extend beyond its edges
    const Index input = (sampling_.first + output * sampling_.stride) % count;
    return rows_.factors[static_cast<std::size_t>(input < 0 ? input + count : input)];
  }

  std::unique_ptr<BoundStencil<T>> kernel_;
  const VaryingRows rows_;
  const AxisSampling sampling_;  ///< along the axis of the factors
  bool is_turned_;               ///< whether views have the axes batch and y exchanged
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> with_row_factors(std::unique_ptr<BoundStencil<T>> kernel,
                                                  const BoundStage& stage) {
  return std::make_unique<RowFactors<T>>(std::move(kernel), stage);
}

template std::unique_ptr<BoundStencil<float>> with_row_factors(std::unique_ptr<BoundStencil<float>>,
                                                               const BoundStage&);
template std::unique_ptr<BoundStencil<double>> with_row_factors(
    std::unique_ptr<BoundStencil<double>>, const BoundStage&);

}  // namespace stencil
