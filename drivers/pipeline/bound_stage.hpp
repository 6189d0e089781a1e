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

/// A stage bound to the shape of its inputs. Determines the inputs that each output needs, and the
/// rank that computes the output.
struct BoundStage {
  std::string name;
  MethodChoice choice;
  /// A mask of four axes; `choice.mask` is then its first plane, which gives extent and centre.
  std::optional<ChannelMask> channels;
  /// The masks of a bank, each with the method that would be chosen for this mask alone; `choice`
  /// is then the element that reads the most inputs.
  std::vector<MethodChoice> bank;
  /// The axis along which the mask extends. For masks of two or three axes: y_axis if the mask is a
  /// single column, otherwise x_axis.
  Axis mask_axis = x_axis;
  std::array<AxisSampling, axes> sampling;
  std::array<Index, 2> stride{1, 1};  ///< {y, x} for the kernel
  Halo halo;  ///< ghost points of the input; wide enough for every block and all steps of a sweep
  Boundary boundary;
  std::optional<PolynomialFit> edge_fit;  ///< see Stage
  std::optional<VaryingRows> rows;        ///< see Stage
  Index steps = 1;
  Index steps_per_sweep = 1;  ///< number of steps for which one halo exchange suffices
  std::optional<double> min_valid;
  Decomposition input, output;

  /// Number of outputs for each batch of inputs; 1 without a bank.
  Index filters() const { return bank.empty() ? 1 : static_cast<Index>(bank.size()); }
  /// Returns whether the filters of a bank use different methods.
  bool is_mixed() const;
  /// Returns the methods as text: `direct`, or `3 direct, 1 separable` for a bank.
  std::string methods() const;

  /// Number of sweeps over the data; each sweep follows one halo exchange.
  Index sweeps() const { return (steps + steps_per_sweep - 1) / steps_per_sweep; }

  /// Multiply-adds per output point; for FFTs, the number that would take the same time.
  double adds_per_point() const {
    if (channels)
      return choice.method == Method::fft ? double(channels->in) * choice.fft_taps
                                          : double(channels->taps());
    const Taps& taps = choice.mask.taps;
    if (rows && rows->has_masks()) {
      double all = 0;
      for (const Mask& mask : *rows->masks) all += double(mask.taps.count());
      return all / double(rows->masks->size());
    }
    if (choice.method == Method::fft) return choice.fft_taps;
    if (const Index terms = choice.separable_terms(); terms > 0)
      return double(terms * (taps.height + taps.width + (taps.depth > 1 ? taps.depth : 0)));
    return double(taps.count());
  }
  /// Returns the inputs along one axis that outputs need: those under the mask; for FFTs, all
  /// inputs of whole pairs of blocks or of whole tiles; for outputs that are fitted at an edge, all
  /// points of the fit.
  Interval reads(int axis, const Interval& outputs) const;
  /// Like reads(), without the points of the fits at edges.
  Interval reads_of_mask(int axis, const Interval& outputs) const;
  /// Outputs that are fitted at the first edge and at the last edge of an axis.
  std::array<Interval, 2> fitted(int axis, const Interval& outputs) const;
  /// Largest number of inputs on either side that reads() adds to those under the mask.
  Index reads_beyond(int axis) const;
  Index fft_reads_beyond(int axis) const;  ///< the part of reads_beyond() that transforms cause
  /// Position of a box of outputs whose first point is `first`.
  Anchor anchor(const Point& first) const;
};

/// Binds a stage to inputs of a shape. Sets method, sampling and all other members except the
/// decompositions and the halo.
///
/// @param shape  the shape of the inputs, {batch, y, x}
/// @param backend  cuda supports neither transforms of masks of three axes nor missing points that
///                 such masks leave out
/// @throws ShapeError  the mask does not fit the shape, the method does not fit the mask, a number
///                     does not fit its type, or several steps would change the shape
BoundStage bind_to_shape(const Stage& stage, const Point& shape, Precision precision,
                         Backend backend = Backend::cpu);

/// Returns the facts about a stage's points on which the choice of its method depends.
/// stage.sampling, stride, steps and min_valid must be set.
/// @param batch  the batch extent of the outputs; outputs of several filters count once, because
///               each filter has the method that it would have as a single mask
MethodSite method_site(const BoundStage& stage, Precision precision, Backend backend, Index batch);

/// Returns the ghost points that the mask needs on either side of a point; for FFTs, including the
/// rest of the pair of blocks.
Halo nominal_halo(const BoundStage& stage);

/// Returns the number of ghost points for one sweep along each axis, the maximum over all blocks.
/// stage.input, output and steps_per_sweep must be set.
Halo needed_halo(const BoundStage& stage);

/// Describes one axis of a stage that keeps its shape, restricted to the block `owned`, for several
/// steps.
StepAxis step_axis(const BoundStage& stage, int axis, const Interval& owned);

}  // namespace stencil
