#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drivers/prediction.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output_file.hpp"

namespace stencil {

/// What happened in a run, for the report. Seconds are those of the slowest rank.
struct RunSummary {
  double seconds_total = 0, seconds_read = 0, seconds_memory = 0, seconds_exchange = 0,
         seconds_compute = 0, seconds_write = 0, seconds_commit = 0;
  std::vector<double> stage_seconds;     ///< of computing, each stage
  std::optional<Prediction> prediction;  ///< made before the run, where it was worth its time
  Index missing_in = 0;
  std::string transport;  ///< of halos, and why this one
  OutputCounts output;
  Index bytes_sent = 0;  ///< halo messages of all ranks
};

/// Reads, computes, writes: the main job. Collective; every rank gets the same summary.
///
/// @param progress  auto, bar, lines or none
/// @throws Error    agreed on by all ranks; an unfinished output is removed
RunSummary run_plan(const Communicator& communicator, const Plan& plan, Executor& executor,
                    const std::string& progress);

/// Checks on one rank, before any work, that the report can be written and overwrites nothing that
/// the run reads or writes.
///
/// @throws WordsError    --report names the input, a mask, the configuration or the output
/// @throws StorageError  its folder is not there or not writable
void check_report(const Plan& plan, const Config& config);

/// Writes the report under a temporary name and renames it. On one rank.
/// @throws StorageError
void write_report(const std::string& file, const std::string& report);

/// What a run ends with on stderr: what was written, and what its reader should know of it.
std::string closing_lines(const Plan& plan, const RunSummary& summary);

/// The machine-readable report as JSON text.
std::string report_json(const Plan& plan, const Config& config, const RunSummary& summary,
                        const std::string& device_facts);

}  // namespace stencil
