#include "drivers/pipeline/fused_lines.hpp"

#include <array>
#include <cmath>
#include <string>

#include "kernels/cpu/lines_walk.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

/// Largest number of taps of a mask. Sums over more taps are limited by arithmetic, not by memory
/// bandwidth.
constexpr Index most_taps = 33;
/// Upper bound of the multiply-adds of one pass, as a multiple of those of three passes.
constexpr double most_work = 1.4;

/// Returns whether a stage has exactly one output at the position of each input along the axis.
bool keeps_points(const AxisSampling& axis) {
  return axis.first == 0 && axis.stride == 1 && axis.count == axis.extent && axis.block_in == 1 &&
         axis.block_out == 1;
}

/// Returns whether a stage sums a mask along `axis`, at every point and in one step.
bool is_line(const BoundStage& stage, int axis) {
  const Mask& mask = stage.choice.mask;
  return mask.rank == 1 && mask.axis == axis && mask.taps.count() <= most_taps &&
         stage.choice.method == Method::direct && stage.steps == 1 && !stage.channels &&
         stage.bank.empty() && !stage.edge_fit && !stage.rows && !stage.min_valid &&
         keeps_points(stage.sampling[axis]);
}

/// Returns whether ghost points along an axis are copies of points, or +0. The sums over ghost
/// points along another axis are then equal to the ghost points of the sums.
bool has_plain_ghosts(const Boundary& boundary, int axis) {
  return boundary.rule[axis] != BoundaryRule::constant ||
         (boundary.value == 0 && !std::signbit(boundary.value));
}

/// Returns the multiply-adds of one pass, as a multiple of those of three passes. One pass needs
/// more multiply-adds, because it also computes sums at ghost points along y and x.
double work_of_one_pass(const BoundStage& fused) {
  const auto with_ghosts = [&](int axis) {
    const AxisSampling& sampling = fused.sampling[axis];
    return 1 + double(sampling.width - 1) / double(sampling.extent);
  };
  const double x = with_ghosts(x_axis), y = with_ghosts(y_axis);
  return (y * x + x + 1) / double(lines_of_pass);
}

template <class T>
class FusedLines final : public BoundStencil<T> {
 public:
  explicit FusedLines(std::array<Stencil<T>, lines_of_pass> lines) : lines_(std::move(lines)) {}

  std::string name() const override { return "cpu direct, three lines in one pass"; }
  void run(FieldView<const T> source, FieldView<T> target, Lane, const Anchor&) const override {
    cpu::walk_lines(lines_, cpu::row_kernels<T>(cpu::vector_extension()), source, target);
  }

 private:
  std::array<Stencil<T>, lines_of_pass> lines_;
};

}  // namespace

std::optional<BoundStage> fuse_lines(const std::vector<BoundStage>& stages, std::size_t first) {
  if (first + lines_of_pass > stages.size()) return std::nullopt;
  BoundStage fused = stages[first];
  for (int axis = 0; axis < axes; ++axis) {
    const BoundStage& stage = stages[first + std::size_t(axis)];
    if (!is_line(stage, axis) || !has_plain_ghosts(stage.boundary, axis)) return std::nullopt;
    fused.sampling[axis] = stage.sampling[axis];
    fused.boundary.rule[axis] = stage.boundary.rule[axis];
  }
  if (work_of_one_pass(fused) > most_work) return std::nullopt;
  fused.boundary.value = 0;
  fused.mask_axis = x_axis;
  return fused;
}

Index lines_scratch_bytes(const BoundStage& fused, Index element) {
  Point taps;
  for (int axis = 0; axis < axes; ++axis) taps[axis] = fused.sampling[axis].width;
  return element == sizeof(double) ? cpu::lines_scratch_bytes<double>(taps)
                                   : cpu::lines_scratch_bytes<float>(taps);
}

template <class T>
std::unique_ptr<BoundStencil<T>> bind_lines(const std::vector<BoundStage>& stages,
                                            std::size_t first) {
  std::array<Stencil<T>, lines_of_pass> lines;
  for (std::size_t k = 0; k < lines_of_pass; ++k)
    lines[k] = make_stencil<T>(stages[first + k].choice.mask, Method::direct, {1, 1}, {});
  return std::make_unique<FusedLines<T>>(std::move(lines));
}

template std::unique_ptr<BoundStencil<float>> bind_lines(const std::vector<BoundStage>&,
                                                         std::size_t);
template std::unique_ptr<BoundStencil<double>> bind_lines(const std::vector<BoundStage>&,
                                                          std::size_t);

}  // namespace stencil
