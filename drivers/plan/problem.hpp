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

/// The axis of the dataset that 1D masks run along where the configuration gives none.
struct MaskAxis {
  int axis = 0;
  std::string why;  ///< `dimension scale /time`, or that it is the last
};

/// The sampling rate for which a filter is designed.
struct DesignRate {
  double samples_per_unit = 0;
  std::string source;  ///< attribute or key that gave it
};

/// Where and how often a run saves what it has done, and when it stops by itself.
struct CheckpointPlan {
  std::string file;
  CheckpointInterval every;
  Restart restart = Restart::automatic;
  std::optional<TimeLimit> time_limit;
  std::string words;  ///< the settings that decide the numbers, see run_words()
};

/// The points of the input at the positions of the outputs: an output is missing if its point is
/// missing.
struct KeptMissing {
  DatasetFacts input;  ///< of the shape of the output
  MissingPoints missing;
};

/// What is checked between time steps, see PointWatch.
struct Watching {
  Index every =
      0;  ///< steps between two checks of the points, counted over all stages; 0: never checked
  Nonfinite nonfinite = Nonfinite::stop;
  std::optional<ChangeLimit> until;  ///< ends the last stage early
  Index snapshot_every = 0;          ///< steps between two snapshots, counted alike; 0: none
  double time_step = 1;              ///< of the times of snapshots
  std::string unit;                  ///< of the time step; empty: steps are counted
  std::string lines;                 ///< file that gets a line for each check; empty: none

  /// Whether a run of `steps` stops before its end.
  bool within(Index steps) const {
    return (every > 0 && every < steps) || (snapshot_every > 0 && snapshot_every < steps);
  }
  /// Whether the world must be computed at once, since windows and passes are not looked at.
  bool needs_world() const { return until.has_value() || snapshot_every > 0; }
};

/// What is computed: the configuration applied to the facts of the data. It depends only on these
/// and on the number of ranks, and is the same on every rank. It contains neither the available
/// memory nor the order of the work, see RunWay. make_problem() makes it, and pass_of() and
/// remaining() make other problems of it; no other code changes one.
struct Problem {
  DatasetFacts input;
  NormalForm input_form, output_form;
  Chain chain;
  TransportRequest transport = TransportRequest::automatic;  ///< how halos are sent
  /// Where the configuration gives no axis for some 1D mask, and the dataset has several.
  std::optional<MaskAxis> mask_axis;
  /// For each stage whose filter is designed for a sampling rate.
  std::vector<std::optional<DesignRate>> designed_for;
  std::vector<double> used_rate;         ///< of the input, as OutputSpec::used_rate
  std::optional<MissingPoints> missing;  ///< values that are replaced while reading
  std::optional<KeptMissing> kept;       ///< missing.keep
  OutputSpec output;
  std::vector<std::string> notes;  ///< properties of the data that the user may not expect
  int ranks = 1;
  Watching watching;
  std::optional<CheckpointPlan> checkpoint;

  /// Peak bytes of host memory on the rank that needs most, if the world is computed at once.
  Index memory_at_once = 0;
  /// Approximate bytes of host memory for transfers between a file and a GPU, which are done in
  /// pieces.
  Index piece_bytes = Index{256} << 20;
  Index bytes_read = 0;  ///< of the input data, all ranks
  Index bytes_written = 0;
  Index halo_bytes = 0;  ///< ghosts filled per rank and run, an upper bound
  Index points_out = 0;  ///< points computed by all stages and steps

  /// The compute type, and the bytes of one point.
  ElementType compute_type() const {
    return chain.precision == Precision::float64 ? ElementType::float64 : ElementType::float32;
  }
  Index compute_bytes() const { return size_of(chain.precision); }
};

}  // namespace stencil
