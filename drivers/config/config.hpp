#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "drivers/config/command_line.hpp"
#include "drivers/config/kinds.hpp"
#include "drivers/config/mask_words.hpp"
#include "framework/grid/shape.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil {

/// Stands for the values of the dataset's attributes _FillValue and missing_value.
struct FromAttributes {
  bool operator==(const FromAttributes&) const = default;
};

/// What counts as missing: nothing, what the attributes say, or a number (NaN too).
using MissingValue = std::variant<std::monostate, FromAttributes, ElementValue>;

/// One stage of the configuration: a section [stencil] or [stencil.NAME], words checked one by one,
/// not yet against a dataset. Lists are as written: one value for all axes or one per axis.
struct StageConfig {
  std::string name;  ///< `stencil` or `stencil.NAME`, as in messages
  Operation operation = Operation::correlate;
  MaskWords mask;               ///< taps, a place in a file, or a family
  int rank = 0;                 ///< families: 1 or 2; 0 = by the dataset and input.axis
  std::optional<int> axis;      ///< default input.axis: where a 1D mask runs, or the derivative
  FamilyParameters parameters;  ///< families: the keys of their own
  std::vector<BoundaryRule> boundary{BoundaryRule::reflect};  ///< `zero` is `constant` of 0
  double boundary_value = 0;
  Extent extent = Extent::same;
  std::vector<Index> origin{0};
  std::vector<Index> stride{1};
  Index steps = 1;
  Index groups = 1;  ///< masks of four axes
  MethodRequest method = MethodRequest::automatic;
};

/// The whole configuration after file and command line, every value in range, names known.
struct Config {
  struct Input {
    std::string file, dataset;
    std::optional<int> axis;   ///< -1 where absent
    double sampling_rate = 0;  ///< samples per unit; 0 = from the file's metadata
  } input;
  struct Output {
    std::string file, dataset;         ///< dataset: default the input's path
    std::optional<ElementType> dtype;  ///< none: the type computed in
    std::vector<Index> chunk;
    int gzip_level = 0;
    bool overwrite = false;
  } output;
  struct Missing {
    MissingValue value;
    MissingPolicy policy = MissingPolicy::propagate;
    double min_valid = 0.5;
    double fill_value = 0;  ///< policy = fill: what stands in for missing points
  } missing;
  std::vector<StageConfig> stages;  ///< in file order, at least one
  struct Run {
    Backend backend = Backend::automatic;
    PrecisionRequest precision = PrecisionRequest::automatic;
    std::vector<Index> decomposition;  ///< empty = auto
    Index memory = 0;                  ///< bytes per rank; 0 = auto
    TransportRequest transport = TransportRequest::automatic;
    std::optional<cuda::Strategy> kernel;  ///< none: the one that suits the stencil
  } run;

  bool check = false;
  std::string report;  ///< file name, empty = none
  ProgressStyle progress = ProgressStyle::automatic;
  /// What decides the numbers, one `section.key=value` per line in a fixed order: goes into the
  /// provenance. Not the output's name, nor how the work is split and moved (canonical.hpp).
  std::string canonical;
};

/// Command line and file as they were read: what rank 0 broadcasts, so that every rank parses the
/// same words without touching the file.
struct ConfigWords {
  CommandLine line;
  std::string text;  ///< content of the file that `line` names
};

/// What the command line asks for.
enum class Request { run, help, version };

/// Reads the command line and the file it names.
/// @throws WordsError    no file named, unknown option (with the nearest valid one)
/// @throws StorageError  the file is missing or unreadable
Request read_words(int argc, const char* const* argv, ConfigWords& words);

/// Turns words into a Config.
/// @throws WordsError  one line naming file, line, section and key, the value, and what to write
///                     instead: misspelt (nearest valid spelling), empty, given twice, out of
///                     range, not there yet.
Config parse_config(const ConfigWords& words);

/// The text of --help: usage, every key with its values and default, exit statuses, an example.
std::string help_text();

}  // namespace stencil
