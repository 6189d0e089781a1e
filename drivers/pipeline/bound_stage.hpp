#pragma once

#include <array>
#include <optional>
#include <string>

#include "drivers/pipeline/stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/decomposition.hpp"
#include "framework/grid/sampling.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/level_spans.hpp"
#include "kernels/method/method.hpp"

namespace stencil {

/// A stage bound to the shape of its inputs: which inputs each output needs, and which rank
/// computes it.
struct BoundStage {
  std::string name;
  MethodChoice choice;
  /// A mask of four axes; the mask of `choice` is then its first plane, for extent and centre.
  std::optional<ChannelMask> channels;
  /// The masks of a bank, each with the method that it would have alone; `choice` is then the one
  /// that reads most inputs.
  std::vector<MethodChoice> bank;
  /// The axis along which the mask extends; for a mask of two or three axes y_axis if it is a
  /// single column, else x_axis.
  Axis mask_axis = x_axis;
  std::array<AxisSampling, axes> sampling;
  std::array<Index, 2> stride{1, 1};  ///< {y, x} as the kernel sees them
  Halo halo;  ///< of the input, wide enough for every block and all steps of a sweep
  Boundary boundary;
  std::optional<PolynomialFit> edge_fit;  ///< see Stage
  Index steps = 1;
  Index steps_per_sweep = 1;  ///< steps for which one halo exchange is wide enough
  std::optional<double> min_valid;
  Decomposition input, output;

  /// Outputs that are made of each batch of inputs; 1 if there is no bank.
  Index filters() const { return bank.empty() ? 1 : static_cast<Index>(bank.size()); }
  /// Whether the filters of a bank go different ways.
  bool is_mixed() const;
  /// The methods, as to_string() says them: `direct`, or of a bank `3 direct, 1 separable`.
  std::string methods() const;

  /// Number of sweeps over the data, each after one exchange of halos.
  Index sweeps() const { return (steps + steps_per_sweep - 1) / steps_per_sweep; }

  /// Multiply-adds per output point; for an fft the number that would take the same time.
  double adds_per_point() const {
    if (channels) return double(channels->taps());
    const Taps& taps = choice.mask.taps;
    if (choice.method == Method::fft) return choice.fft_taps;
    if (const Index terms = choice.separable_terms(); terms > 0)
      return double(terms * (taps.height + taps.width + (taps.depth > 1 ? taps.depth : 0)));
    return double(taps.count());
  }
  /// Inputs along one axis that outputs need: those under the mask; for an fft those of whole pairs
  /// of blocks, or of whole tiles; for outputs that are fitted at an edge all points of the fit.
  Interval reads(int axis, const Interval& outputs) const;
  /// Like reads(), without the points of fits.
  Interval reads_of_mask(int axis, const Interval& outputs) const;
  /// Outputs that are fitted at the first and at the last edge of an axis.
  std::array<Interval, 2> fitted(int axis, const Interval& outputs) const;
  /// Most inputs on either side of those under the mask that `reads` adds.
  Index reads_beyond(int axis) const;
  Index fft_reads_beyond(int axis) const;  ///< of these, those of transforms
  /// Position of a box of outputs that begins with the point `first`.
  Anchor anchor(const Point& first) const;
};

/// Binds a stage to inputs of a shape: sets method, sampling and all else except decompositions and
/// halo.
///
/// @param shape  the shape of the inputs, {batch, y, x}
/// @param backend  cuda has no transforms of 2D masks, and no masks of three axes
/// @throws ShapeError  the mask does not fit the shape, the method does not fit the mask, or a
///                     number does not fit its type; several steps that would change the shape
BoundStage bind_to_shape(const Stage& stage, const Point& shape, Precision precision,
                         Backend backend = Backend::cpu);

/// The facts about a stage's points that the choice of its method needs; stage.sampling, stride,
/// steps and min_valid must be set.
/// @param batch  the batch of outputs; those of several filters are counted once, because each
///               filter has the method that it would have alone
MethodSite method_site(const BoundStage& stage, Precision precision, Backend backend, Index batch);

/// Ghosts that the mask needs on either side of a point; for an fft including the rest of its pair
/// of blocks.
Halo nominal_halo(const BoundStage& stage);

/// Number of ghosts for one sweep along each axis, the maximum over all blocks; stage.input, output
/// and steps_per_sweep must be set.
Halo needed_halo(const BoundStage& stage);

/// One axis of a stage that keeps its shape, restricted to the block `owned`, for several steps.
StepAxis step_axis(const BoundStage& stage, int axis, const Interval& owned);

}  // namespace stencil
