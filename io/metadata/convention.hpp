#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace stencil::storage {

/// What a number, a text or a dataset of a file says about the points along an axis.
enum class Meaning {
  rate,        ///< points per unit
  pulse_rate,  ///< of the instrument: the rate of the points where nothing else in the file says it
  nyquist,     ///< half of the rate
  fraction,    ///< position within a cell, as a fraction of the spacing
  spacing,
  count,        ///< of points along the axis
  total,        ///< of points of all axes
  first,        ///< coordinate or time of the first point
  last,         ///< coordinate or time of the last point, or of the end of its step
  low_edge,     ///< coordinate of the beginning of the first cell
  high_edge,    ///< coordinate of the end of the last cell
  index,        ///< of the first point, in spacings from the origin of the axis
  last_index,   ///< of the last point; Field::spacing names the value `index` of the first one,
                ///< which precedes it in the same list
  begin_index,  ///< of the first point of each of several parts of the axis, from 0
  end_index,    ///< of the last point of each part
  turn,         ///< index of the point that was taken first, from which on they go round
  length,       ///< from the first point to the last one, or with a whole step for each point
  part,         ///< true where the first point and the spacing are those of the input
  range,        ///< true where the first and the last point are those of the input
  whole,        ///< true where all points are those of the input
  values,       ///< one for each point: coordinates, times
  levels,       ///< one row for each resolution of the same data: true of one row and all points
  of_values,    ///< true of no output: it describes the numbers of the input
  constant,     ///< true of every output, although the name suggests one of the others
};

/// One statement of a convention about the points, and its place in a file.
struct Field {
  /// `@name`: an attribute of the dataset or of a group around it, the nearest one first.
  /// `path@name`: an attribute of an object in one of these groups.
  /// `path`: a dataset in one of these groups. In a path `{}` is the name of the dataset, and `*`
  /// any name of one object; in a name `#` is a number from 1 on, that of the point that the object
  /// describes.
  std::string_view where;
  Meaning meaning;
  /// `time`, `distance` (channels), `x`, `y`, `z` ... as in AxisNames; `each`, `reversed`: value k
  /// belongs to axis k, counted from the slowest or from the fastest one; `all`: it is true only if
  /// no axis changes; `any`: of an unknown axis.
  std::string_view axis;
  /// As UDUNITS writes it; `@name`: the text of that attribute, seconds if it is absent; `GPS s`;
  /// `date`: a text, also `date d/m/y` and `date m/d/y` (see WrittenDate). Empty: unknown.
  std::string_view unit = {};
  /// Attributes (or datasets, for a dataset) next to it whose product is the spacing in its unit:
  /// `dx`, `SpatialResolution[m]*Fibre Length Multiplier`, `rscale*0.001`. For an edge, also the
  /// attributes of both ends, `ExtMin0..ExtMax0`. Empty: use the sampling rate of the axis.
  std::string_view spacing = {};
  int component = -1;                                     ///< of several values; -1: all
  double most = std::numeric_limits<double>::infinity();  ///< larger values mean something else
};

/// A format or a habit of writing metadata.
struct Convention {
  std::string_view name;
  /// What every file of this convention has, each as Field::where, `@name=text` if the attribute
  /// begins with that text, `#name` for the name of the dataset, `1 axis` for its rank. Empty: the
  /// names of the convention are used by no other files.
  std::vector<std::string_view> needs;
  /// Names of the axes of the dataset, slowest first, `?` for an unknown one and a final `...` for
  /// any number of these; `@name`: the attribute that lists them. Empty: the format does not fix
  /// the axes.
  std::string_view axes;
  std::vector<Field> fields;
  /// Where other metadata about the points of the dataset is. Other datasets are assumed to
  /// describe other data, unless a field, a dimension scale or a link says otherwise. `around`: in
  /// the group around that of the dataset; datasets of its shape there have the same points.
  enum class About { file, around, group, dataset } about = About::file;
};

}  // namespace stencil::storage
