#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/plan/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"
#include "framework/parallel/transport_request.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The sampling rate that a filter was designed for.
struct DesignRate {
  double samples_per_unit = 0;
  std::string source;  ///< where it was found
};

/// A world that does not fit into memory is streamed through it: each rank computes its share of
/// the outputs in intervals along one axis, whole along the others.
struct Windows {
  int axis = batch_axis;
  Index outputs = 0;  ///< of a window along the axis; the last one of a rank may have fewer
  Index bytes = 0;    ///< of the host's memory for each rank
};

/// Everything that is decided before a byte of data moves: the same on every rank, from the
/// configuration, the dataset's facts and the number of ranks alone.
struct Plan {
  DatasetFacts input;
  NormalForm input_form, output_form;
  Chain chain;
  TransportRequest transport = TransportRequest::automatic;  ///< how halos are to travel
  /// Of each stage, where a filter was designed for a rate.
  std::vector<std::optional<DesignRate>> designed_for;
  std::optional<MissingPoints> missing;  ///< what reading replaces
  OutputSpec output;
  std::vector<std::string> notes;  ///< what the user may not expect of these data
  int ranks = 1;

  std::optional<Windows> windows;  ///< nothing: the world is in memory at once

  Index memory_per_rank = 0;  ///< bytes of the host's, of the largest rank at its peak
  /// Of host memory between a file and a GPU, where points travel piece after piece, about.
  Index piece_bytes = Index{256} << 20;
  Index bytes_read = 0;  ///< of the input's data, all ranks
  Index bytes_written = 0;
  Index halo_bytes = 0;  ///< ghosts filled per rank and run, an upper bound
  Index point_taps = 0;  ///< multiply-adds of the run, all ranks
  Index points_out = 0;  ///< points computed by all stages and steps

  /// The type that is computed in, and the bytes of one point.
  ElementType compute_type() const {
    return chain.precision == Precision::float64 ? ElementType::float64 : ElementType::float32;
  }
  Index compute_bytes() const { return size_of(chain.precision); }
};

/// @param backend  cpu or cuda: what all ranks compute on, where config.run.backend leaves it open
/// @throws WordsError  the words do not fit the dataset: mask, axis, extent, decomposition, missing
Plan make_plan(const Config& config, const DatasetFacts& facts, const MaskFiles& masks, int ranks,
               Backend backend = Backend::cpu);

}  // namespace stencil
