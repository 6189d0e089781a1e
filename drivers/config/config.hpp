#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "drivers/config/kinds.hpp"
#include "drivers/config/mask_words.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/sampling.hpp"
#include "framework/grid/shape.hpp"
#include "framework/parallel/transport_request.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/read/join.hpp"
#include "io/read/select.hpp"
#include "kernels/families/family_table.hpp"
#include "kernels/method/method_request.hpp"

namespace stencil {

/// The missing values are the values of the dataset's attributes _FillValue and missing_value, or
/// those of the attributes of ODIM_H5.
struct FromAttributes {
  bool operator==(const FromAttributes&) const = default;
};

/// The missing values are the values that netCDF users expect: those of the attributes _FillValue
/// and missing_value, or netCDF's default fill value in netCDF files without these attributes. See
/// DatasetFacts::missing_unasked.
struct Automatic {
  bool operator==(const Automatic&) const = default;
};

/// The values that are treated as missing: the values that Automatic describes, no value
/// (std::monostate), the values that FromAttributes describes, or the listed numbers (which may be
/// NaN).
using MissingValue =
    std::variant<Automatic, std::monostate, FromAttributes, std::vector<ElementValue>>;

/// Returns whether no value is treated as missing, regardless of the file's attributes.
inline bool is_none(const MissingValue& value) {
  return std::holds_alternative<std::monostate>(value);
}

/// The packing of an integer output: value = stored number * scale + offset, like CF's scale_factor
/// and add_offset.
struct OutputScale {
  bool is_of_input = false;  ///< pack like the input; the members below are then unused
  double scale = 1, offset = 0;
  bool operator==(const OutputScale&) const = default;
};

/// The interval between checkpoints: a number of steps, or a number of seconds.
struct CheckpointInterval {
  Index steps = 0;  ///< if 0, `seconds` is used
  double seconds = 600;
  bool operator==(const CheckpointInterval&) const = default;
};

/// The time at which a run stops automatically: before the batch system ends the job, or after a
/// number of seconds.
struct TimeLimit {
  bool is_of_queue = false;
  double seconds = 0;
  bool operator==(const TimeLimit&) const = default;
};

/// A stage ends early when the change of its points in one step is below this limit.
struct ChangeLimit {
  double below = 0;
  bool is_rms = false;  ///< root mean square change of all points; otherwise the largest change

  bool operator==(const ChangeLimit&) const = default;
};

/// The time between two steps.
struct TimeStep {
  double value = 1;
  std::string unit;  ///< a unit as in CF's attribute `units`; if empty, times are numbers of steps
};

/// An axis of the dataset: its number (a negative number counts from the last axis), or its name in
/// the file.
using AxisWord = std::variant<int, std::string>;

/// One stage of the configuration: a section [stencil] or [stencil.NAME]. Each value has been
/// checked by itself, but not against a dataset. A list has the number of values that the user
/// wrote: one value for all axes, or one value per axis.
struct StageConfig {
  std::string name;  ///< `stencil` or `stencil.NAME`
  Operation operation = Operation::correlate;
  MaskWords mask;  ///< taps, a dataset in a file, or a family
  int rank = 0;    ///< rank of a family's mask: 1 or 2; if 0, the dataset and input.axis decide
  std::optional<int> axis;  ///< axis of a 1D mask or of the derivative; default input.axis
  std::vector<AxisWord>
      axes;  ///< axes of the mask, in the mask's order; empty for the default axes
  FamilyParameters parameters;  ///< keys of the mask family
  /// The unit of parameters.delta, if `delta` was computed from coordinates that have a unit;
  /// otherwise empty.
  std::string delta_unit;
  std::vector<BoundaryRule> boundary{BoundaryRule::reflect};  ///< `zero` is `constant` with value 0
  double boundary_value = 0;
  bool fits_edges = false;  ///< fit the polynomial of savgol at the edges (boundary = interp)
  Extent extent = Extent::same;
  std::vector<Index> origin{0};
  std::vector<Index> stride{1};
  Index steps = 1;  ///< number of steps; the largest possible number if until_change_below is set
  std::optional<ChangeLimit> until_change_below;
  Index groups = 1;  ///< groups of channels; only for masks of four axes
  MethodRequest method = MethodRequest::automatic;
};

/// The whole configuration, merged from file and command line. All names are known, and all values
/// are in range.
struct Config {
  struct Input {
    std::string file;  ///< a path, a pattern or a list, see storage::files_named()
    std::string dataset;
    std::optional<int> join;  ///< axis along which several files are joined
    bool joins_new = false;   ///< join the files along a new first axis instead
    Gaps gaps = Gaps::refuse;
    Overlap overlap = Overlap::refuse;
    Clock clock = Clock::files;
    Selection select;  ///< empty for the whole dataset
    Edges edges = Edges::data;
    std::optional<int> axis;   ///< axis of 1D masks; if absent, see mask_axis_of()
    double sampling_rate = 0;  ///< samples per unit; if 0, taken from the file's metadata
    Packed packed = Packed::values;
  } input;
  struct Output {
    std::string file,
        dataset;                       ///< if empty, the first dataset that matches input.dataset
    std::optional<ElementType> dtype;  ///< if absent, the compute type
    std::optional<OutputScale> scale;  ///< if absent, the output is not packed
    std::vector<Index> chunk;
    int gzip_level = 0;
    bool overwrite = false;
    Copy copy = Copy::none;
    Verification verify = Verification::all;
    Index snapshot_every = 0;  ///< steps between snapshots; if 0, only the final points are written
  } output;
  struct Missing {
    MissingValue value;
    MissingPolicy policy = MissingPolicy::propagate;
    double min_valid = 0.5;
    double fill_value = 0;  ///< the value that replaces missing points if the policy is fill
    /// If this is BeyondEdges::missing, the boundary rules of stages are not used.
    BeyondEdges edges = BeyondEdges::boundary;
    bool keep = false;   ///< points that are missing in the input are also missing in the output
    std::string mask;    ///< dataset of valid points, as `file.h5:/mask`, or empty
    bool joint = false;  ///< weight the valid points under both masks of two 1D stages
  } missing;
  std::vector<StageConfig> stages;  ///< in file order, at least one
  struct Run {
    Backend backend = Backend::automatic;
    PrecisionRequest precision = PrecisionRequest::automatic;
    std::vector<Index> decomposition;  ///< empty for auto
    Index memory = 0;                  ///< bytes per rank, or 0 for auto
    TransportRequest transport = TransportRequest::automatic;
    std::string checkpoint;  ///< file name, or empty for none
    CheckpointInterval checkpoint_every;
    Restart restart = Restart::automatic;
    std::optional<TimeLimit> time_limit;
    Nonfinite nonfinite = Nonfinite::stop;
    TimeStep time_step;
    Index look_every = 1000;  ///< number of steps between two checks of the points
  } run;

  bool check = false;
  bool json = false;   ///< print the plan as JSON
  std::string report;  ///< file name, or empty for none
  std::string trace;   ///< file name of the trace, or empty for none
  ProgressStyle progress = ProgressStyle::automatic;
  /// The settings that determine the output values, one `section.key=value` per line in a fixed
  /// order, for the provenance attribute. The documentation of canonical_settings() lists the
  /// settings that are omitted.
  std::string canonical;
};

}  // namespace stencil
