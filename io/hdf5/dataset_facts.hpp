#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/hdf5/nanoseconds.hpp"

namespace stencil {

/// Recording times of the first and the last point of a dataset along one axis: nanoseconds since
/// 1970 in the calendar, or since the reference time of the file.
struct TimeSpan {
  int axis = 0;
  Nanoseconds first = 0, last = 0;
  std::string source;                 ///< where the times were found, for messages
  std::string calendar = "standard";  ///< a name as returned by name_of(Calendar)
};

/// A gap along an axis: points that are missing according to the times.
struct TimeHole {
  int axis = 0;
  Index before = 0;  ///< index of the first point after the gap
  Index points = 0;
};

/// A box of a virtual, joined or selected dataset, and the box of a source dataset that contains
/// the same points. Apart from axes of one point, both boxes have the same extents, and therefore
/// the same row-major order.
struct VirtualMapping {
  Index source = 0;  ///< index in DatasetFacts::source_datasets; `in_no_file`: all points have the
                     ///< value `fill`
  std::vector<Index> start, count;
  std::vector<Index> source_start, source_count;
  std::vector<Index> source_step{};  ///< step of the points in the source, per axis; if empty, 1
};
inline constexpr Index in_no_file = -1;

/// The selected points of an axis: `count` points, every step-th from `first` on.
struct AxisSelection {
  Index first = 0, step = 1, count = 1;
  bool operator==(const AxisSelection&) const = default;
};

/// The coordinates along one axis of a dataset. They are needed for derivatives and widths in the
/// unit of the coordinates.
struct AxisCoordinates {
  enum class Kind { none, other, time, latitude, longitude };
  Kind kind = Kind::none;  ///< none: the axis has no dimension scale of numbers
  std::string source;      ///< path of the dimension scale
  std::string unit;  ///< the unit of `step`: `s` for times, `rad` for angles, else as in the file
  double step = 0;   ///< difference between the coordinates of neighbouring points; 0 if it varies
  std::string uneven;             ///< why there is no step, for messages
  std::vector<double> latitudes;  ///< latitudes of all points in rad; empty for other axes
};

/// Properties of an input dataset that the plan needs, in a form that can be broadcast.
struct DatasetFacts {
  std::string file, dataset;
  std::vector<Index> dims;  ///< slowest axis first; not empty
  ElementType type = ElementType::float32;
  /// The names of the real and the imaginary part of complex numbers, whose parts are of `type`;
  /// empty for real numbers.
  std::vector<std::string> part_names;
  std::string layout;        ///< `contiguous`, `chunked`, `compact`, `virtual`, `joined`
  std::vector<Index> chunk;  ///< empty unless chunked
  Index chunk_bytes = 0;     ///< unpacked size of the largest chunk, including chunks of virtual
                             ///< sources
  std::string filters;       ///< `gzip`, `shuffle+gzip` and similar; empty if there are none
  Index storage_bytes = 0;
  Index data_offset = -1;  ///< offset of contiguous data in the file in bytes; -1 for other layouts
  /// Sampling rate in Hz along each dataset axis according to the metadata (0 if unknown), and the
  /// place where it was found. Examples are the dataset attribute Xspacing (s), the group
  /// attributes OutputDataRate and PulseRate (Hz), and an evenly spaced coordinate variable in
  /// seconds.
  std::vector<double> sampling_rate;
  std::vector<std::string> sampling_source;
  /// For each axis, the reason why the axis is known to be a time axis: a scale or dataset of
  /// times, or a rate in a file that names the axis. Empty for other axes; a rate without an axis
  /// name is not a sufficient reason.
  std::vector<std::string> time_source;
  /// For each axis: its name as spelled in the file, from a label or a dimension scale, and the
  /// path of a dimension scale that contains text. Either is empty if the file does not contain it.
  std::vector<std::string> axis_names, text_scale;
  /// Gaps in the times of a dimension scale or of another dataset, in ascending order.
  std::vector<TimeHole> holes;
  /// Reasons why times in the file are not used, one clause each: `the times of /time are ...`.
  std::vector<std::string> remarks;
  /// Values of the attributes _FillValue and missing_value, or of nodata and undetect in ODIM_H5.
  /// The second list contains the values that are missing by default: undetect is excluded, and
  /// netCDF's default fill value is included in netCDF files that lack these attributes.
  std::vector<ElementValue> missing_values, missing_unasked;
  /// One of these attributes in the form `missing_value = abc`, if it contains a text that is not a
  /// number; otherwise empty.
  std::string missing_text;
  /// For complex numbers, one of these attributes in the form `_FillValue = -999+0j`, if its value
  /// is not NaN; otherwise empty. Only NaN can mark a missing complex number.
  std::string missing_complex;
  /// The valid range, both ends included; std::nullopt if there is no limit. The limits apply to
  /// the stored numbers or, with range_is_of_values, to the values that the numbers represent.
  std::optional<ElementValue> valid_min, valid_max;
  bool range_is_of_values = false;
  /// Attributes of packed numbers, see PackedNumbers.
  bool is_packed = false;
  double scale_factor = 1, add_offset = 0;
  bool has_other_sign = false;
  /// True if reading returns the values that the numbers represent according to these attributes;
  /// false if reading returns the stored numbers.
  bool reads_values = false;
  /// Set only for datasets that are to be joined, see inspect_part(): the times of the points, and
  /// the meaning of the numbers according to the attributes (`units K, scale_factor 0.01`).
  std::optional<TimeSpan> times;
  std::string meaning;
  /// Size in bytes and time of the last change (ns since 1970) of the file, to detect changes after
  /// the probe.
  Index file_bytes = 0;
  Index modified = 0;
  std::vector<std::string> sources;  ///< other files that contain points of a virtual dataset
  /// Size and time of the last change of each file in `sources`.
  std::vector<Index> source_bytes, source_modified;
  /// The datasets that contain the points of a virtual dataset, each listed once.
  std::vector<DatasetFacts> source_datasets;
  /// The source of each point of a virtual dataset; empty if the sources differ in element type or
  /// the mappings are not disjoint boxes. If empty, HDF5 reads the dataset.
  std::vector<VirtualMapping> mappings;
  /// For a dataset made by join(): the axis along which the elements of `source_datasets` are
  /// concatenated, in their order. `file`, `dataset` and metadata are those of the first dataset.
  std::optional<int> joined_axis;
  /// Position of the first point along joined_axis, relative to the first point of the first
  /// dataset. Points that are missing according to the times also occupy positions.
  Index joined_first = 0;
  std::vector<std::string> join_notes;  ///< notes on times of a file or of the join
  /// Value of the points that no file contains, in the stored type.
  ElementValue fill;
  Index filled_points = 0;
  /// Number of chunks that were never written, including chunks of sources. Their points have the
  /// fill value. An unwritten contiguous dataset is counted as one chunk.
  Index unwritten = 0;
  /// The requested part of the whole dataset, per axis; empty for the whole dataset. A plan also
  /// reads the points outside this part that masks need.
  std::vector<AxisSelection> wanted;
  /// The dataset that marks which points are valid, see set_validity(); empty if there is none.
  std::vector<DatasetFacts> validity;
  /// The coordinates of each axis of the whole dataset, not of a selection of its points. Set only
  /// if the configuration needs them, see probe_coordinates().
  std::vector<AxisCoordinates> coordinates;
  double earth_radius = 0;  ///< radius in m of the sphere to which latitudes and longitudes refer;
                            ///< set together with `coordinates`
  /// For a selection, see select(): the selected points of the whole dataset, per axis.
  std::vector<AxisSelection> selected;

  bool is_complex() const { return !part_names.empty(); }
  /// Bytes of one point in memory.
  Index point_bytes() const { return static_cast<Index>(size_of(type)) * (is_complex() ? 2 : 1); }
  /// Extents of the real numbers that are read. For complex numbers, the result consists of the
  /// extents of the dataset, followed by an axis of two for the real and the imaginary part.
  std::vector<Index> number_dims() const;
  /// Extents of a chunk along the axes of number_dims().
  std::vector<Index> number_chunk() const;
  /// Returns the type of the numbers: `type`, or the type of opposite sign if values are read and
  /// `_Unsigned` requires it.
  ElementType number_type() const;
  /// Returns whether the points that are read are the numbers multiplied by scale_factor plus
  /// add_offset.
  bool is_unpacked() const { return reads_values && is_packed; }
  /// Returns whether this program has composed the dataset from other datasets, so that no file
  /// contains the dataset.
  bool is_composed() const { return joined_axis || !selected.empty(); }
  /// Returns the dataset whose attributes, dimension scales and sampling rates apply: for a
  /// selection the whole dataset, for joined datasets the first of them.
  const DatasetFacts& described() const { return is_composed() ? source_datasets.front() : *this; }
};

/// Returns the name of the element type for messages: `float16`, `complex64`, `int8` ...
std::string type_name(const DatasetFacts& facts);
std::string type_name(ElementType type, bool is_complex);

/// Returns facts in which an additional last axis of two points contains the two parts of each
/// complex number. The classes that read points use this form. `dims` and all other members that
/// have one value per axis are extended. Facts of real numbers are returned unchanged.
DatasetFacts with_parts(DatasetFacts facts);

/// Returns the name of the input for messages and for the provenance of the output: `a.h5:/data`,
/// `a.h5:/data and 109 files joined to it`.
std::string name_of(const DatasetFacts& facts);

std::string serialize(const DatasetFacts& facts);
DatasetFacts facts_from(const std::string& serialized);

}  // namespace stencil
