#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace stencil::storage {

/// Meaning of a number, a text or a dataset of a file for the points along an axis. `Valid` means
/// that the value may also be written to an output without a change.
enum class Meaning {
  rate,        ///< points per unit
  pulse_rate,  ///< rate of the instrument; the rate of the points if the file gives no other rate
  nyquist,     ///< half of the rate
  fraction,    ///< position within a cell, as a fraction of the spacing
  spacing,
  count,        ///< number of points along the axis
  total,        ///< number of points of all axes
  first,        ///< coordinate or time of the first point
  last,         ///< coordinate or time of the last point, or of the end of its sampling interval
  low_edge,     ///< coordinate of the beginning of the first cell
  high_edge,    ///< coordinate of the end of the last cell
  index,        ///< index of the first point, in spacings from the origin of the axis
  last_index,   ///< index of the last point; Field::spacing names the value with the meaning
                ///< `index` for the first point, which precedes this value in the same list
  begin_index,  ///< index of the first point of each of several parts of the axis, from 0
  end_index,    ///< index of the last point of each part
  turn,         ///< index of the point that was recorded first, for points recorded cyclically
  length,       ///< from the first point to the last, or the number of points times the spacing
  part,         ///< valid if the first point and the spacing are those of the input
  range,        ///< valid if the first and the last point are those of the input
  whole,        ///< valid if all points are those of the input
  values,       ///< one value for each point: coordinates, times
  levels,       ///< one row for each resolution of the same data: valid if there is one row and all
                ///< points are those of the input
  of_values,    ///< describes the numbers of the input; never valid for an output
  constant,     ///< valid for every output, although the name suggests another meaning
};

/// One statement of a convention about the points, and its location in a file.
struct Field {
  /// Location of the value.
  /// `@name`: an attribute of the dataset or of the nearest enclosing group that has it.
  /// `path@name`: an attribute of an object in one of these groups.
  /// `path`: a dataset in one of these groups. In a path `{}` is the name of the dataset, and `*`
  /// is any name of one object. In a name `#` is the number, from 1 on, of the point that the
  /// object describes.
  std::string_view where;
  Meaning meaning;
  /// `time`, `distance` (channels), `x`, `y`, `z` and so on as in AxisNames; `each`, `reversed`:
  /// value k belongs to axis k, counted from the slowest or from the fastest axis; `all`: valid
  /// only if no axis changes; `any`: the axis is unknown.
  std::string_view axis;
  /// The unit in the notation of UDUNITS; empty if the unit is unknown. Three words have a meaning
  /// of their own: with `@name`, the attribute `name` contains the unit (seconds if that attribute
  /// is absent); `GPS s` means seconds of GPS time; `date`, `date d/m/y` and `date m/d/y` mean that
  /// the value is a date in text (see WrittenDate).
  std::string_view unit = {};
  /// Attributes (or datasets, for a dataset) in the same place whose product is the spacing in its
  /// unit: `dx`, `SpatialResolution[m]*Fibre Length Multiplier`, `rscale*0.001`. For an edge, also
  /// the attributes of both ends, `ExtMin0..ExtMax0`. If empty, the sampling rate of the axis is
  /// used.
  std::string_view spacing = {};
  int component = -1;                                     ///< index in a list of values; -1: all
                                                          ///< values
  double most = std::numeric_limits<double>::infinity();  ///< larger values have another meaning
};

/// A file format or a common style of metadata.
struct Convention {
  std::string_view name;
  /// Items that every file of this convention has. An item has the notation of Field::where, or it
  /// is `@name=text` for an attribute that begins with the text, `@name>number` for an attribute
  /// with a larger number, `#name` for the name of the dataset, `1 axis` or `several axes` for the
  /// number of axes of the dataset. A convention without items applies to every file, because its
  /// names do not occur in files of other conventions.
  std::vector<std::string_view> needs;
  /// Names of the axes of the dataset, from the slowest to the fastest. `?` stands for an unknown
  /// axis, and a final `...` for any number of them. If the text is `@name`, the attribute `name`
  /// lists the axes. If the text is empty, the format does not determine the axes.
  std::string_view axes;
  std::vector<Field> fields;
  /// The part of the file in which other metadata may describe the points of the dataset. Datasets
  /// elsewhere are assumed to describe other data, unless a field, a dimension scale or a link
  /// states otherwise. `around` means the parent of the dataset's group; datasets of the same shape
  /// in that group have the same points.
  enum class About { file, around, group, dataset } about = About::file;
};

}  // namespace stencil::storage
