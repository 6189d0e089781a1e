#include "drivers/pipeline/fitted_edges.hpp"

#include <utility>
#include <vector>

namespace stencil {
namespace {

/// Points along an axis of a view.
template <class T>
struct Line {
  T* first;
  Index step;

  T& at(Index i) const { return first[i * step]; }
};

template <class T>
Line<T> line_along(int axis, const FieldView<T>& view, Point start) {
  const Index step = axis == batch_axis ? view.batch_pitch : axis == y_axis ? view.row_pitch : 1;
  return {&view.at(start[batch_axis], start[y_axis], start[x_axis]), step};
}

/// Computes the outputs of a fit at the points `places`.
template <class T>
void fit_line(const PolynomialFit& fit, const Line<const T>& in, const Interval& places,
              const Line<T>& out, std::vector<double>& parts) {
  parts.assign(static_cast<std::size_t>(fit.terms), 0.0);
  for (Index i = 0; i < fit.size; ++i) {
    const auto value = double{in.at(i)};
    for (Index j = 0; j < fit.terms; ++j)
      parts[static_cast<std::size_t>(j)] +=
          fit.basis[static_cast<std::size_t>(j * fit.size + i)] * value;
  }
  for (Index k = places.first; k < places.last; ++k) {
    double sum = 0;
    for (Index j = 0; j < fit.terms; ++j)
      sum +=
          fit.at[static_cast<std::size_t>(j * fit.size + k)] * parts[static_cast<std::size_t>(j)];
    out.at(k - places.first) = static_cast<T>(sum);
  }
}

template <class T>
class FittedEdges final : public BoundStencil<T> {
 public:
  FittedEdges(std::unique_ptr<BoundStencil<T>> kernel, const BoundStage& stage)
      : kernel_(std::move(kernel)), stage_(stage) {}

  std::string name() const override { return kernel_->name(); }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    // axis of the views along which fits are computed
    const int axis = stage_.mask_axis == batch_axis ? y_axis : stage_.mask_axis;
    const Interval outputs{anchor.first_output, anchor.first_output + target.extent[axis]};
    const Interval all = stage_.reads(stage_.mask_axis, outputs),
                   own = stage_.reads_of_mask(stage_.mask_axis, outputs);
    Box part = make_box(source.extent);
    part.set(axis, {own.first - all.first, own.last - all.first});
    kernel_->run(source.window(part), target, lane, anchor);
    const AxisSampling& sampling = stage_.sampling[stage_.mask_axis];
    const auto ends = stage_.fitted(stage_.mask_axis, outputs);
    const Index firsts[] = {0, sampling.extent - stage_.edge_fit->size};  // first points of fits
    for (std::size_t end = 0; end < ends.size(); ++end) {
      const Interval places{ends[end].first + sampling.first - firsts[end],
                            ends[end].last + sampling.first - firsts[end]};
      if (!ends[end].empty())
        fit(axis, source, firsts[end] - all.first, places, target, ends[end].first - outputs.first);
    }
  }

 private:
  /// @param from, to  index of the fit's first point in the source, and of the first output in the
  ///                  target
  void fit(int axis, const FieldView<const T>& source, Index from, const Interval& places,
           const FieldView<T>& target, Index to) const {
    Point lines = target.extent;
    lines[axis] = 1;
    const Index rows = lines[batch_axis] * lines[y_axis];
#pragma omp parallel
    {
      std::vector<double> parts;
#pragma omp for schedule(static)
      for (Index row = 0; row < rows; ++row)
        for (Index x = 0; x < lines[x_axis]; ++x) {
          Point in{row / lines[y_axis], row % lines[y_axis], x}, out = in;
          in[axis] = from;
          out[axis] = to;
          fit_line<T>(*stage_.edge_fit, line_along(axis, source, in), places,
                      line_along(axis, target, out), parts);
        }
    }
  }

  std::unique_ptr<BoundStencil<T>> kernel_;
  const BoundStage stage_;
};

}  // namespace

template <class T>
std::unique_ptr<BoundStencil<T>> with_fitted_edges(std::unique_ptr<BoundStencil<T>> kernel,
                                                   const BoundStage& stage) {
  return std::make_unique<FittedEdges<T>>(std::move(kernel), stage);
}

template std::unique_ptr<BoundStencil<float>> with_fitted_edges(
    std::unique_ptr<BoundStencil<float>>, const BoundStage&);
template std::unique_ptr<BoundStencil<double>> with_fitted_edges(
    std::unique_ptr<BoundStencil<double>>, const BoundStage&);

}  // namespace stencil
