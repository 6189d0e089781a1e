#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/stage_mask.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/decomposition.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output_spec.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/limits.hpp"
#include "kernels/method.hpp"

namespace stencil {

/// One stage bound to the dataset: what is computed from what, and by whom.
struct StagePlan {
  std::string name;
  MethodChoice choice;
  /// A mask of four axes; the mask of `choice` then tells its extent and centre alone.
  std::optional<ChannelMask> channels;
  /// Axis of the normal form that the mask runs along; x_axis for masks that run along two.
  int mask_axis = x_axis;
  std::array<AxisSampling, axes> sampling;
  std::array<Index, 2> stride{1, 1};  ///< {y, x} as the kernel sees them
  Halo halo;  ///< of the input, wide enough for every block and all steps of a sweep
  Boundary boundary;
  Index steps = 1;
  Index steps_per_sweep = 1;  ///< how many of them one exchange of halos is wide enough for
  std::optional<double> min_valid;
  double sampling_rate = 0;     ///< that a filter was designed for; 0 where the mask needs none
  std::string sampling_source;  ///< where the rate was found
  Decomposition input, output;

  /// Sweeps over the data, each after one exchange of halos.
  Index sweeps() const { return (steps + steps_per_sweep - 1) / steps_per_sweep; }

  /// Multiply-adds for one point of output; for an fft those that would take as long.
  double adds_per_point() const {
    if (channels) return double(channels->taps());
    const Taps& taps = choice.mask.taps;
    if (choice.method == Method::fft) return choice.fft_taps;
    if (const Index terms = choice.separable_terms(); terms > 0)
      return double(terms * (taps.height + taps.width));
    return double(taps.height * taps.width);
  }
  /// Inputs along one axis that outputs need: those under the mask, by fft of whole pairs of
  /// blocks.
  Interval reads(int axis, const Interval& outputs) const;
};

/// Everything that is decided before a byte of data moves: the same on every rank, from the
/// configuration, the dataset's facts and the number of ranks alone.
struct Plan {
  DatasetFacts input;
  NormalForm input_form, output_form;
  std::vector<StagePlan> stages;
  ElementType compute_type = ElementType::float32;  ///< float32 or float64
  std::optional<MissingPoints> missing;             ///< what reading replaces
  OutputSpec output;
  std::vector<std::string> notes;  ///< what the user may not expect of these data
  int ranks = 1;
  std::string backend = "cpu";                      ///< or cuda
  std::string kernel = "auto", transport = "auto";  ///< of [run]

  Index memory_per_rank = 0;  ///< bytes of the host's, of the largest rank at its peak
  /// Of host memory between a file and a GPU, where points travel piece after piece, about.
  Index piece_bytes = Index{256} << 20;
  Index bytes_read = 0;  ///< of the input's data, all ranks
  Index bytes_written = 0;
  Index halo_bytes = 0;  ///< ghosts filled per rank and run, an upper bound
  Index point_taps = 0;  ///< multiply-adds of the run, all ranks
  Index points_out = 0;  ///< points computed by all stages and steps
};

/// @throws WordsError  the words do not fit the dataset: mask, axis, extent, decomposition, missing
Plan make_plan(const Config& config, const DatasetFacts& facts, const MaskFiles& masks, int ranks);

}  // namespace stencil
