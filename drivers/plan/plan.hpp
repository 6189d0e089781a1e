#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/plan/mask_axis.hpp"
#include "drivers/plan/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"
#include "framework/parallel/transport_request.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/output_spec.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// The sampling rate for which a filter is designed.
struct DesignRate {
  double samples_per_unit = 0;
  std::string source;  ///< attribute or key that gave it
};

/// How a world is processed in windows: each rank computes its share of the outputs in intervals
/// along one axis; along the other axes a window has the full extent.
struct Windows {
  int axis = batch_axis;
  Index outputs = 0;  ///< of a window along the axis; the last window of a rank may have fewer
  /// Where the shares of ranks end: at multiples of this many outputs, whole blocks of the file,
  /// and windows where they are not thinner. 0: anywhere, so that windows are written one after the
  /// other, with messages between ranks.
  Index unit = 0;
  Index group = 1;         ///< outputs that stay together: the channels of an image
  int at_a_time = 1;       ///< windows of a rank, each read, computed and written by its own thread
  int threads = 1;         ///< that compute one window
  Index bytes = 0;         ///< of host memory per rank
  Index device_bytes = 0;  ///< of GPU memory per rank
  bool is_needed = true;   ///< the world does not fit into memory at once
  Index kept_chunk_bytes = 0;  ///< unpacked chunks of the input that are kept between windows
  double read_twice = 0;       ///< bytes that several windows read, over those of the input
};

/// Where and how often a run saves what it has done, and when it stops by itself.
struct CheckpointPlan {
  std::string file;
  CheckpointInterval every;
  Restart restart = Restart::automatic;
  std::optional<TimeLimit> time_limit;
  std::string words;  ///< what decides the numbers, see run_words()
};

/// What a run goes on from.
struct Resumed {
  std::string file;      ///< the checkpoint
  Index steps_done = 0;  ///< of all stages
  InputCounts input{};
  /// Snapshots in the unfinished output that were taken before; null where the run takes none.
  std::shared_ptr<const UnfinishedOutput> snapshots{};
  std::optional<LinesSaved> lines{};  ///< step lines that were written before
};

/// The points of the input that the outputs stand on: outputs are missing where these are.
struct KeptMissing {
  DatasetFacts input;  ///< of the shape of the output
  MissingPoints missing;
};

/// What is looked at between time steps, see PointWatch.
struct Watching {
  Index every = 0;  ///< steps between two looks, counted over all stages; 0: never looked at
  Nonfinite nonfinite = Nonfinite::stop;
  std::optional<ChangeLimit> until;  ///< ends the last stage early
  Index snapshot_every = 0;          ///< steps between two snapshots, counted alike; 0: none
  double time_step = 1;              ///< of the times of snapshots
  std::string unit;                  ///< of the time step; empty: steps are counted
  std::string lines;                 ///< file that gets a line for each look; empty: none

  /// Whether a run of `steps` stops before its end.
  bool within(Index steps) const {
    return (every > 0 && every < steps) || (snapshot_every > 0 && snapshot_every < steps);
  }
  /// Whether the world must be computed at once, since windows and passes are not looked at.
  bool needs_world() const { return until.has_value() || snapshot_every > 0; }
};

/// Everything that is decided before data are read. It depends only on the configuration, the
/// dataset's facts and the number of ranks, and is the same on every rank.
struct Plan {
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

  std::optional<Windows> windows;  ///< nothing: the whole world at once, or in passes
  /// Passes over the files, each in windows, if one cannot take all sweeps; see choose_passes().
  std::vector<Plan> passes;
  std::optional<CheckpointPlan> checkpoint;
  /// Set where the steps before those of `chain` are done; `input` is then the checkpoint.
  std::optional<Resumed> resumed;
  /// Windows of the output that an earlier run has done; null: none.
  std::shared_ptr<const UnfinishedOutput> unfinished;
  std::size_t first_stage = 0;  ///< of the chain, in that of the plan which this is a pass of

  Index memory_per_rank = 0;  ///< peak bytes of host memory on the rank that needs most
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

/// Of a plan whose world goes through memory in windows or passes: its points are not looked at
/// between the steps. Notes it where that matters.
void stop_watching(Plan& plan);

/// Steps that were done before a plan begins, of all stages; and those together with its own.
inline Index steps_before(const Plan& plan) {
  return plan.resumed ? plan.resumed->steps_done : 0;
}
inline Index steps_in_all(const Plan& plan) {
  return steps_before(plan) + plan.chain.steps();
}

/// @param backend  cpu or cuda, the same on all ranks: used if config.run.backend is automatic
/// @throws WordsError  the configuration does not fit the dataset: mask, axis, extent,
///                     decomposition, missing
Plan make_plan(const Config& config, const DatasetFacts& facts, const MaskFiles& masks, int ranks,
               Backend backend = Backend::cpu);

}  // namespace stencil
