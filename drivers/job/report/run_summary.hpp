#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "drivers/job/report/station_clock.hpp"
#include "drivers/plan/predict/prediction.hpp"
#include "drivers/plan/predict/storage_prediction.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Seconds of one rank in each part of a run.
struct PartSeconds {
  double read = 0, memory = 0, exchange = 0, compute = 0, write = 0, commit = 0;
};

/// Measurements and results of a run, for the report. Times are in seconds: those of this rank, or,
/// after combine(), those of the slowest rank.
struct RunSummary {
  double seconds_total = 0, seconds_read = 0, seconds_memory = 0, seconds_exchange = 0,
         seconds_compute = 0, seconds_write = 0, seconds_commit = 0;
  /// For runs in windows, per Station: the time in which at least one window was at the station,
  /// and the time in which no window was there.
  std::array<double, stations> stations_busy{}, stations_waiting{};
  std::vector<PartSeconds> rank_seconds;     ///< set by combine(): one element for each rank
  std::vector<double> stage_seconds;         ///< computing time of each stage
  std::optional<Prediction> prediction;      ///< made before the run, for long runs only
  std::optional<StoragePrediction> storage;  ///< made before a run that moves many bytes
  Index checkpoints = 0;                     ///< number of checkpoints that were written
  /// Time for writing checkpoints; for passes, without the time of writing windows.
  double seconds_checkpoints = 0;
  Index missing_in = 0;
  std::optional<Index> ended_at;   ///< number of steps that were done, if fewer than planned
  std::vector<std::string> notes;  ///< notes from the checks of points and steps
  std::string transport;           ///< transport of halos, and the reason for its choice
  OutputCounts output;
  Index bytes_sent = 0;  ///< bytes of the halo messages of this rank; after combine(), of all ranks
};

/// Combines the summaries of all ranks, with the same result on every rank. Each time becomes the
/// largest time of all ranks; numbers of missing points and of bytes become sums. Collective.
void combine(const Communicator& communicator, RunSummary& summary);

}  // namespace stencil
