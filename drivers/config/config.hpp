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

/// Means the values that the dataset's attributes name: _FillValue, missing_value, or those of
/// ODIM_H5.
struct FromAttributes {
  bool operator==(const FromAttributes&) const = default;
};

/// Means what netCDF users expect: _FillValue and missing_value, netCDF's default fill values, and
/// nothing in a file without them; see DatasetFacts::missing_unasked.
struct Automatic {
  bool operator==(const Automatic&) const = default;
};

/// Which values are treated as missing: those of the file, none, those of the attributes, or
/// numbers (which may be NaN).
using MissingValue =
    std::variant<Automatic, std::monostate, FromAttributes, std::vector<ElementValue>>;

/// Whether no number is treated as missing, whatever the file says.
inline bool is_none(const MissingValue& value) {
  return std::holds_alternative<std::monostate>(value);
}

/// Packs an integer output: value = number * scale + offset, as CF's scale_factor and add_offset.
struct OutputScale {
  bool is_of_input = false;  ///< as the input is packed; else:
  double scale = 1, offset = 0;
  bool operator==(const OutputScale&) const = default;
};

/// How often a checkpoint is written: after a number of steps, or after a number of seconds.
struct CheckpointInterval {
  Index steps = 0;  ///< 0: `seconds` is used
  double seconds = 600;
  bool operator==(const CheckpointInterval&) const = default;
};

/// When a run stops by itself: before the queue ends the job, or after a number of seconds.
struct TimeLimit {
  bool is_of_queue = false;
  double seconds = 0;
  bool operator==(const TimeLimit&) const = default;
};

/// Change of the points in one step below which a stage ends early.
struct ChangeLimit {
  double below = 0;
  bool is_rms = false;  ///< the root of the mean square of all points; else the largest

  bool operator==(const ChangeLimit&) const = default;
};

/// The time that a step represents.
struct TimeStep {
  double value = 1;
  std::string unit;  ///< as CF's attribute `units`; empty: steps are counted
};

/// An axis of the dataset: its number, negative from the last, or the name that the file gives it.
using AxisWord = std::variant<int, std::string>;

/// One stage of the configuration: a section [stencil] or [stencil.NAME]. Each value is checked by
/// itself, but not yet against a dataset. Lists are as written: one value for all axes or one per
/// axis.
struct StageConfig {
  std::string name;  ///< `stencil` or `stencil.NAME`, as in messages
  Operation operation = Operation::correlate;
  MaskWords mask;               ///< taps, a dataset in a file, or a family
  int rank = 0;                 ///< families: 1 or 2; 0 = from the dataset and input.axis
  std::optional<int> axis;      ///< axis of a 1D mask or of the derivative; default input.axis
  std::vector<AxisWord> axes;   ///< that the mask runs along, in its order; empty: the default
  FamilyParameters parameters;  ///< families: their own keys
  std::vector<BoundaryRule> boundary{BoundaryRule::reflect};  ///< `zero` is `constant` with value 0
  double boundary_value = 0;
  bool fits_edges = false;  ///< savgol: boundary = interp
  Extent extent = Extent::same;
  std::vector<Index> origin{0};
  std::vector<Index> stride{1};
  Index steps = 1;  ///< with a limit the most that there are
  std::optional<ChangeLimit> until_change_below;
  Index groups = 1;  ///< only for masks of four axes
  MethodRequest method = MethodRequest::automatic;
};

/// The whole configuration, merged from file and command line: all names are known and all values
/// are in range.
struct Config {
  struct Input {
    std::string file;  ///< a path, a pattern or a list, see storage::files_named()
    std::string dataset;
    std::optional<int> join;  ///< axis along which several files follow each other
    bool joins_new = false;   ///< a new axis before those of the files, instead
    Gaps gaps = Gaps::refuse;
    Overlap overlap = Overlap::refuse;
    Clock clock = Clock::files;
    Selection select;  ///< empty: all
    Edges edges = Edges::data;
    std::optional<int> axis;   ///< of 1D masks; none: see mask_axis_of()
    double sampling_rate = 0;  ///< samples per unit; 0 = from the file's metadata
    Packed packed = Packed::values;
  } input;
  struct Output {
    std::string file,
        dataset;  ///< dataset: default the input's path; empty: of the first that matches
    std::optional<ElementType> dtype;  ///< none: the compute type
    std::optional<OutputScale> scale;  ///< none: the numbers are the values
    std::vector<Index> chunk;
    int gzip_level = 0;
    bool overwrite = false;
    Copy copy = Copy::none;
    Verification verify = Verification::all;
    Index snapshot_every = 0;  ///< steps; 0: only the points after the last step
  } output;
  struct Missing {
    MissingValue value;
    MissingPolicy policy = MissingPolicy::propagate;
    double min_valid = 0.5;
    double fill_value = 0;                      ///< policy = fill: replaces missing points
    BeyondEdges edges = BeyondEdges::boundary;  ///< missing: the stages' boundary is not used
    bool keep = false;   ///< points that are missing in the input are missing in the output
    std::string mask;    ///< `file.h5:/mask`, of valid points; empty: none
    bool joint = false;  ///< stages of one axis each weigh the valid points together
  } missing;
  std::vector<StageConfig> stages;  ///< in file order, at least one
  struct Run {
    Backend backend = Backend::automatic;
    PrecisionRequest precision = PrecisionRequest::automatic;
    std::vector<Index> decomposition;  ///< empty = auto
    Index memory = 0;                  ///< bytes per rank; 0 = auto
    TransportRequest transport = TransportRequest::automatic;
    std::string checkpoint;  ///< file name, empty = none
    CheckpointInterval checkpoint_every;
    Restart restart = Restart::automatic;
    std::optional<TimeLimit> time_limit;
    Nonfinite nonfinite = Nonfinite::stop;
    TimeStep time_step;
    Index look_every = 1000;  ///< steps between two checks of the points
  } run;

  bool check = false;
  bool json = false;   ///< the plan as JSON
  std::string report;  ///< file name, empty = none
  std::string trace;   ///< the same, of the trace
  ProgressStyle progress = ProgressStyle::automatic;
  /// The settings that determine the output values, one `section.key=value` per line in a fixed
  /// order, for the provenance attribute. Without the output's name, decomposition, memory,
  /// transport and checkpoints (canonical.hpp).
  std::string canonical;
};

}  // namespace stencil
