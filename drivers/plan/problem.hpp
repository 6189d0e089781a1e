#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/pipeline/chain.hpp"
#include "framework/grid/normal_form.hpp"
#include "framework/parallel/transport_request.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The axis of the dataset along which 1D masks run if the configuration gives no axis.
struct MaskAxis {
  int axis = 0;
  std::string why;  ///< reason of the choice: `dimension scale /time`, or that it is the last axis
};

/// The sampling rate for which a filter is designed.
struct DesignRate {
  double samples_per_unit = 0;
  std::string source;  ///< attribute or key that gave the rate
};

/// The file and interval of checkpoints, and the time at which a run stops automatically.
struct CheckpointPlan {
  std::string file;
  CheckpointInterval every;
  Restart restart = Restart::automatic;
  std::optional<TimeLimit> time_limit;
  std::string words;  ///< the settings that determine the points, see run_words()
};

/// Facts for missing.keep: an output is missing if the point of the input at its position is
/// missing.
struct KeptMissing {
  DatasetFacts input;  ///< the points at the positions of the outputs
  MissingPoints missing;
};

/// The checks between time steps, see PointWatch.
struct Watching {
  Index every =
      0;  ///< steps between two checks of the points, counted over all stages; 0 for no checks
  Nonfinite nonfinite = Nonfinite::stop;
  std::optional<ChangeLimit> until;  ///< ends the last stage early
  Index snapshot_every = 0;          ///< steps between two snapshots, of all stages; 0 for none
  double time_step = 1;              ///< time between two steps, for the times of snapshots
  std::string unit;   ///< unit of the time step; if empty, times are numbers of steps
  std::string lines;  ///< file that receives a line for each check, or empty for none

  /// Returns whether a run of `steps` steps is interrupted before its end.
  bool within(Index steps) const {
    return (every > 0 && every < steps) || (snapshot_every > 0 && snapshot_every < steps);
  }
  /// Returns whether the whole world must be in memory, because windows and passes have no checks.
  bool needs_world() const { return until.has_value() || snapshot_every > 0; }
};

/// The computation: a configuration applied to the facts of the data. A problem depends only on the
/// configuration, the facts and the number of ranks, and is the same on every rank. The available
/// memory and the order of the work are not part of a problem, see RunWay. make_problem() makes a
/// problem; pass_of() and remaining() derive other problems from one. No other code changes a
/// problem.
struct Problem {
  DatasetFacts input;
  NormalForm input_form, output_form;
  Chain chain;
  TransportRequest transport = TransportRequest::automatic;  ///< how halos are sent
  /// Set if the configuration gives no axis for a 1D mask, and the dataset has several axes.
  std::optional<MaskAxis> mask_axis;
  /// One element per stage; set if the stage's filter is designed for a sampling rate.
  std::vector<std::optional<DesignRate>> designed_for;
  std::vector<double> used_rate;         ///< rates of the input, see OutputSpec::used_rate
  std::optional<MissingPoints> missing;  ///< values that are replaced while reading
  std::optional<KeptMissing> kept;       ///< missing.keep
  OutputSpec output;
  std::vector<std::string> notes;  ///< properties of the data that may surprise the user
  int ranks = 1;
  Watching watching;
  std::optional<CheckpointPlan> checkpoint;

  /// Peak bytes of host memory on the rank that needs the most, if the whole world is in memory.
  Index memory_at_once = 0;
  /// Approximate number of bytes of host memory for each piece of a transfer between a file and a
  /// GPU.
  Index piece_bytes = Index{256} << 20;
  Index bytes_read = 0;  ///< bytes that are read from the input, summed over all ranks
  Index bytes_written = 0;
  Index halo_bytes = 0;  ///< ghost points filled per rank and run, in bytes; an upper bound
  Index points_out = 0;  ///< points computed by all stages and steps

  /// The compute type, and the bytes of one point.
  ElementType compute_type() const {
    return chain.precision == Precision::float64 ? ElementType::float64 : ElementType::float32;
  }
  Index compute_bytes() const { return size_of(chain.precision); }
};

}  // namespace stencil
