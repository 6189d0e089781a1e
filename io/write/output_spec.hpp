#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/normal_form.hpp"
#include "framework/grid/sampling.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil {

/// The leading axis of an output of snapshots: the points after selected steps of a run. Each
/// snapshot is written while the run continues.
struct SnapshotAxis {
  Index count = 0;             ///< number of snapshots; an upper bound if the axis may end early
  bool may_end_early = false;  ///< allowed only with chunks
  std::string unit{};          ///< unit of the times; if empty, the times are step numbers
};

/// The leading axis of an output of a bank of filters: the results of all filters for the same
/// input.
struct FilterAxis {
  std::vector<Index> rows;  ///< indices of the filters in the bank, for the scale `filter`
};

/// The first axis of OutputSpec::form if the input consists of datasets of one shape that are
/// stacked along a new axis.
struct StackedAxis {
  AxisSampling sampling;  ///< sampling along the new axis; its inputs are the datasets
  DatasetFacts all;       ///< the stacked dataset, with one index along the new axis for each
                          ///< dataset

  std::size_t count() const { return all.mappings.size(); }
  /// Returns the dataset that has an index along the new axis.
  const DatasetFacts& dataset(std::size_t index) const {
    return all.source_datasets[static_cast<std::size_t>(all.mappings[index].source)];
  }
};

/// The derivative along one axis that an output contains.
struct OutputDerivative {
  std::size_t axis = 0;  ///< axis of the input
  Index order = 1;
  double step =
      1;  ///< distance of neighbouring input points, in the unit of the coordinate along the axis
  /// Unit of `step`. If empty, the unit is found by comparing `step` with coordinates.
  std::string unit{};
};

/// Specification of the output file.
struct OutputSpec {
  std::string file, dataset;
  /// Normal form of the output; for snapshots or filters, of one snapshot or of the result of one
  /// filter.
  NormalForm form;
  /// The axis of snapshots or of filters, which is in front of the axes of the form. At most one of
  /// these two members is set.
  std::optional<SnapshotAxis> snapshots;
  /// In the boxes that are written, filters are the innermost part of the batch axis: batch b of
  /// filter k is `b * filters + k`.
  std::optional<FilterAxis> filters;
  ElementType type = ElementType::float32;
  /// Whether the points are complex numbers. `type` is then the type of their parts, and the two
  /// parts are the last axis of the form. The dataset does not have this axis.
  bool is_complex = false;
  std::vector<Index> chunk;  ///< per axis of the form; empty = contiguous
  int gzip_level = 0;        ///< 0: no compression; above 0: shuffle and gzip, which need a chunk
  bool overwrite = false;
  /// True if this program reads the file again. The file then ends with a seal, see FileSeal. Must
  /// be false for packed outputs.
  bool is_sealed = false;
  bool verify = true;  ///< read the points back from the disk before the file gets its final name
  /// The first axis of the form if datasets are stacked; `input`, the first of these datasets, does
  /// not have this axis.
  std::optional<StackedAxis> stacked;
  /// The dataset from which attributes and dimension scales are copied. `sampling` gives,
  /// for each axis of this dataset, the input point of each output point; coordinates and spacings
  /// are adjusted accordingly.
  DatasetFacts input;
  std::vector<AxisSampling> sampling;
  /// Sampling rate that the run used along each axis: input.sampling_rate, or the rate of the file
  /// if a filter was designed for it; 0 if the run used no rate.
  std::vector<double> used_rate;
  /// True for a trial in memory, which checks that metadata can be read. Variables with several
  /// dimensions are then written at a few points only.
  bool is_rehearsal = false;
  /// Value of missing points in the output; NaN for a floating-point type.
  std::optional<ElementValue> missing_value;
  /// True if the output's values are packed like those of the input. The attributes scale_factor
  /// and add_offset are copied only in this case, because otherwise they would be wrong.
  bool packed_attributes = false;
  /// Relation between the numbers of an integer output and its values, written as scale_factor and
  /// add_offset.
  std::optional<storage::Packing> packing;
  /// True if all other contents of the input file are also copied, see copy_rest().
  bool copies_rest = false;
  /// True if a stage differentiates: metadata that describes the input's quantity and its unit
  /// (units, standard_name, long_name and so on) is then not copied.
  bool is_derivative = false;
  std::optional<OutputDerivative>
      derivative;  ///< absent if the derivative is along several axes or in an unknown unit
  /// Number of steps of the run, for the attribute stencil_steps_done. If absent, the run always
  /// performs the steps of the configuration, and the attribute is omitted.
  std::optional<Index> steps_done;
  /// Other files of the run that must not be overwritten: masks, the configuration, the report.
  std::vector<std::string> also_read;
  /// Attributes of the root of the output that record how the output was made: CF `history`, the
  /// configuration, version, method and so on. They must not depend on the number of ranks if the
  /// bytes of the file are to be the same for every number of ranks.
  std::map<std::string, std::string> provenance;
  /// Attributes of `provenance` whose values are set at the commit, because the values are not
  /// known before.
  std::map<std::string, std::string> at_commit;

  /// Number of filters whose results the output contains; 1 without a bank.
  Index filter_count() const { return filters ? static_cast<Index>(filters->rows.size()) : 1; }
  /// Number of axes of the dataset that precede the axes of the form.
  std::size_t leading_axes() const { return snapshots || filters ? 1 : 0; }
  /// Returns the input, or the stacked dataset of all inputs.
  const DatasetFacts& whole_input() const { return stacked ? stacked->all : input; }
  /// Number of axes of the dataset that precede the axes of `input`.
  std::size_t axes_before_input() const { return leading_axes() + (stacked ? 1 : 0); }
  /// Number of indices along the axes that precede the axes of the form.
  Index leading_count() const { return snapshots ? snapshots->count : filter_count(); }
  /// Shape of the boxes that are written, in normal form.
  Point written_shape() const {
    Point shape = form.shape();
    shape[batch_axis] = checked_multiply(shape[batch_axis], filter_count());
    return shape;
  }
  /// Extents of the array of numbers in the dataset. For complex numbers, the last axis has the two
  /// parts.
  std::vector<Index> dims() const {
    std::vector<Index> dims = form.dims();
    dims.insert(dims.begin(), leading_axes(), leading_count());
    return dims;
  }
  /// Chunk per axis of dims(): a chunk belongs to one snapshot, or to one filter.
  std::vector<Index> chunk_of_dims() const {
    std::vector<Index> all = chunk;
    if (!chunk.empty()) all.insert(all.begin(), leading_axes(), 1);
    return all;
  }
  /// Extents of the dataset, of its chunk, and of those axes of the form that the dataset has. None
  /// of these lists includes the axis of the parts of complex numbers.
  std::vector<Index> dataset_dims() const { return without_parts(dims()); }
  std::vector<Index> dataset_chunk() const { return without_parts(chunk_of_dims()); }
  std::vector<Index> form_dims() const { return without_parts(form.dims()); }

 private:
  std::vector<Index> without_parts(std::vector<Index> all) const {
    if (is_complex && !all.empty()) all.pop_back();
    return all;
  }
};

}  // namespace stencil
