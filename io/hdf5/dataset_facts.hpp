#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/hdf5/nanoseconds.hpp"

namespace stencil {

/// When the points of a dataset were recorded: times of its first and its last point, since 1970 in
/// the calendar, or since the reference of the file.
struct TimeSpan {
  int axis = 0;
  Nanoseconds first = 0, last = 0;
  std::string source;                 ///< where it was found, for messages
  std::string calendar = "standard";  ///< as name_of(Calendar)
};

/// Points that the times along an axis leave out.
struct TimeHole {
  int axis = 0;
  Index before = 0;  ///< the point after them
  Index points = 0;
};

/// A box of a virtual, joined or selected dataset and the box of its source that holds the same
/// points. Both have the same extents except for axes of one point, and therefore the same
/// row-major order.
struct VirtualMapping {
  Index source = 0;  ///< in DatasetFacts::source_datasets; `in_no_file`: they are `fill`
  std::vector<Index> start, count;
  std::vector<Index> source_start, source_count;
  std::vector<Index> source_step{};  ///< from one point of the source to the next; empty: 1
};
inline constexpr Index in_no_file = -1;

/// The points of an axis that are taken: every step-th from `first` on.
struct AxisSelection {
  Index first = 0, step = 1, count = 1;
  bool operator==(const AxisSelection&) const = default;
};

/// What the plan needs to know about an input dataset, in a form that can be broadcast.
struct DatasetFacts {
  std::string file, dataset;
  std::vector<Index> dims;  ///< slowest axis first; not empty
  ElementType type = ElementType::float32;
  bool is_half = false;  ///< stored in 16 bits and read as float32
  /// The names of the real and the imaginary part of complex numbers, whose parts are of `type`;
  /// empty for real numbers.
  std::vector<std::string> part_names;
  std::string layout;        ///< `contiguous`, `chunked`, `compact`, `virtual`, `joined`
  std::vector<Index> chunk;  ///< empty unless chunked
  Index chunk_bytes = 0;     ///< unpacked, of the largest chunk, including those of virtual sources
  std::string filters;       ///< `gzip`, `shuffle+gzip` ..., empty for none
  Index storage_bytes = 0;
  Index data_offset = -1;  ///< of contiguous data in the file; -1 otherwise
  /// Samples per second along each dataset axis according to the metadata, and where they were
  /// found: dataset attribute Xspacing (s), group attributes OutputDataRate, PulseRate or similar
  /// (Hz), or an evenly spaced coordinate variable in seconds. 0 where unknown.
  std::vector<double> sampling_rate;
  std::vector<std::string> sampling_source;
  /// Why an axis is known to be one of time: a scale or dataset of times, or a rate in a file that
  /// names the axis. Empty otherwise; a rate alone does not name its axis.
  std::vector<std::string> time_source;
  /// Per axis, its name as the file spells it, of a label or of a dimension scale, and the path of
  /// a dimension scale that holds text; empty where there is none.
  std::vector<std::string> axis_names, text_scale;
  /// Where the times of a dimension scale or of another dataset leave points out, in order.
  std::vector<TimeHole> holes;
  /// Why times that the file has are not used, a clause each: `the times of /time are ...`.
  std::vector<std::string> remarks;
  /// Values of the attributes _FillValue and missing_value, or of ODIM_H5's nodata and undetect.
  /// The second list has those that are missing by default: without undetect, and with netCDF's
  /// default fill value in a file of netCDF that lacks these attributes.
  std::vector<ElementValue> missing_values, missing_unasked;
  /// `missing_value = -999`: one of these attributes if it is a text and not a number; otherwise
  /// empty.
  std::string missing_text;
  /// The valid range, both ends included; std::nullopt if there is no limit. The limits apply to
  /// the stored numbers, or to the values that they represent.
  std::optional<ElementValue> valid_min, valid_max;
  bool range_is_of_values = false;
  /// The attributes of packed numbers, see PackedNumbers.
  bool is_packed = false;
  double scale_factor = 1, add_offset = 0;
  bool has_other_sign = false;
  /// Whether the points that are read are the values that the numbers represent by these
  /// attributes; otherwise they are the numbers as they are stored.
  bool reads_values = false;
  /// Only for datasets that are to be joined, see inspect_part(): the times of their points, and
  /// the meaning of the numbers according to the attributes: `units K, scale_factor 0.01`.
  std::optional<TimeSpan> times;
  std::string meaning;
  /// Size and time of the last change (ns since 1970), to notice a file that changes after the
  /// probe.
  Index file_bytes = 0;
  Index modified = 0;
  std::vector<std::string> sources;  ///< other files that a virtual dataset takes its points from
  /// Size and time of the last change of each source.
  std::vector<Index> source_bytes, source_modified;
  /// The datasets that a virtual dataset takes its points from, each once.
  std::vector<DatasetFacts> source_datasets;
  /// The source of each point of a virtual dataset; empty if the sources differ in element type or
  /// the mappings are not disjoint boxes: HDF5 then reads the dataset.
  std::vector<VirtualMapping> mappings;
  /// For several datasets joined into one, see join(): the axis along which they follow each other,
  /// in the order of `source_datasets`; `file`, `dataset` and metadata are those of the first one.
  std::optional<int> joined_axis;
  /// Position of the first point along that axis, counted from the first point of the first
  /// dataset. Points that are missing according to the times of that dataset have positions, too.
  Index joined_first = 0;
  std::vector<std::string> join_notes;  ///< on times: a file's, or the join's
  ElementValue fill;                    ///< of points that are in no file, in the stored type
  Index filled_points = 0;
  /// Number of chunks that were never written, including those of sources. Their points have the
  /// fill value. A contiguous dataset counts one chunk.
  Index unwritten = 0;
  /// The requested part of the whole dataset, per axis; empty: all. A plan adds the points that
  /// masks need beyond it.
  std::vector<AxisSelection> wanted;
  /// A dataset that says which points are valid, see set_validity(); empty: there is none.
  std::vector<DatasetFacts> validity;
  /// For a selection, see select(): the points of the whole dataset that it has, per axis.
  std::vector<AxisSelection> selected;

  bool is_complex() const { return !part_names.empty(); }
  /// Bytes of one point in memory.
  Index point_bytes() const { return static_cast<Index>(size_of(type)) * (is_complex() ? 2 : 1); }
  /// Extents of the real numbers that are read: those of the dataset, and for complex numbers a
  /// last axis of two, the real and the imaginary part.
  std::vector<Index> number_dims() const;
  /// `chunk`, by the same axes.
  std::vector<Index> number_chunk() const;
  /// The type of the numbers: `type`, or, where values are read, what `_Unsigned` makes of it.
  ElementType number_type() const;
  /// Whether the points that are read are the numbers times scale_factor plus add_offset.
  bool is_unpacked() const { return reads_values && is_packed; }
  /// Whether this program has composed the dataset from other datasets, so that no file contains
  /// it.
  bool is_composed() const { return joined_axis || !selected.empty(); }
  /// The dataset whose attributes, dimension scales and sampling rates apply: for a selection the
  /// whole dataset; for several joined datasets the first one, whose points are the first of all.
  const DatasetFacts& described() const { return is_composed() ? source_datasets.front() : *this; }
};

/// The element type in messages: `float16`, `complex64`, `int8` ...
std::string type_name(const DatasetFacts& facts);
std::string type_name(ElementType type, bool is_complex);

/// The facts with the parts of complex numbers as a last axis of two, as readers use them: `dims`
/// and everything else that is given per axis of the points has this axis. Other facts are
/// returned as they are.
DatasetFacts with_parts(DatasetFacts facts);

/// The input in messages and provenance: `a.h5:/data`, `a.h5:/data and 109 files joined to it`.
std::string name_of(const DatasetFacts& facts);

std::string serialize(const DatasetFacts& facts);
DatasetFacts facts_from(const std::string& serialized);

}  // namespace stencil
