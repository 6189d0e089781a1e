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

/// The leading axis of an output of snapshots: the points after some of the steps of a run, each
/// written while the run continues.
struct SnapshotAxis {
  Index count = 0;             ///< of snapshots; the most if it may end early
  bool may_end_early = false;  ///< then with chunks
  std::string unit{};          ///< of the times; empty: they are numbers of steps
};

/// The leading axis of an output of a bank of filters: what each filter makes of the same input.
struct FilterAxis {
  std::vector<Index> rows;  ///< of the bank that the filters are, for the scale `filter`
};

/// The leading axis of the form where datasets of one shape are stacked along a new axis.
struct StackedAxis {
  AxisSampling sampling;  ///< of the outputs; its inputs are the datasets
  DatasetFacts all;       ///< with an index along the new axis for each dataset

  std::size_t count() const { return all.mappings.size(); }
  /// The dataset of an index.
  const DatasetFacts& dataset(std::size_t index) const {
    return all.source_datasets[static_cast<std::size_t>(all.mappings[index].source)];
  }
};

/// The derivative along one axis that an output is.
struct OutputDerivative {
  std::size_t axis = 0;  ///< of the input
  Index order = 1;
  double step =
      1;  ///< from one point of the input to the next, in the unit that the derivative is by
};

/// Specification of the output file.
struct OutputSpec {
  std::string file, dataset;
  NormalForm form;  ///< of the output; of one snapshot, or of what one filter makes
  /// The dataset has one of these axes before those of the form, or none.
  std::optional<SnapshotAxis> snapshots;
  /// In the boxes that are written the filters are the innermost part of the batch axis: batch b of
  /// filter k is `b * filters + k`.
  std::optional<FilterAxis> filters;
  ElementType type = ElementType::float32;
  /// Whether the points are complex numbers: `type` is then that of their parts, which are the last
  /// axis of the form. The dataset lacks this axis.
  bool is_complex = false;
  std::vector<Index> chunk;  ///< per axis of the form; empty = contiguous
  int gzip_level = 0;        ///< 0 = none; with shuffle otherwise; needs a chunk
  bool overwrite = false;
  /// This program reads the file again: it ends with a seal, see FileSeal. Not of packed outputs.
  bool is_sealed = false;
  bool verify = true;  ///< reads the points back from the disk before the file gets its name
  /// The first axis of the form, which `input` lacks: that of stacked datasets, the first of which
  /// is `input`.
  std::optional<StackedAxis> stacked;
  /// The source of attributes and dimension scales. Per axis of this dataset, the sampling gives
  /// the input point of each output: coordinates and spacings are carried over accordingly.
  DatasetFacts input;
  std::vector<AxisSampling> sampling;
  /// Samples per unit that the run used along each axis: input.sampling_rate, or the rate of the
  /// file if a filter was designed for it; 0 if the run used none.
  std::vector<double> used_rate;
  /// A trial in memory, for the sake of reading: variables of several dimensions at a few points.
  bool is_rehearsal = false;
  /// Value that stands for missing points in the output; with a floating type NaN.
  std::optional<ElementValue> missing_value;
  /// Whether the output's values are packed as the input's are: only then do the attributes
  /// scale_factor and add_offset remain true, and are carried over.
  bool packed_attributes = false;
  /// How the numbers of an integer output stand for values: written as scale_factor and add_offset.
  std::optional<storage::Packing> packing;
  /// Whether all else that the input's file holds is copied, too, see copy_rest().
  bool copies_rest = false;
  /// Whether a stage differentiates: metadata that describes the input's quantity and its unit
  /// (units, standard_name, long_name ...) is then not carried over.
  bool is_derivative = false;
  std::optional<OutputDerivative>
      derivative;  ///< std::nullopt: of several axes, or in an unknown unit
  /// Steps of the run, as the attribute stencil_steps_done; std::nullopt: the run always makes the
  /// steps of the configuration, and there is no attribute.
  std::optional<Index> steps_done;
  /// Other files of the run that must not be overwritten: masks, the configuration, the report.
  std::vector<std::string> also_read;
  /// Attributes of the root of the output that say how it was made: CF `history`, the
  /// configuration, version, method ... Nothing in here may depend on the number of ranks if the
  /// bytes of the file are to be the same for every rank count.
  std::map<std::string, std::string> provenance;
  /// Those of `provenance` that the commit sets anew, since they were not known before.
  std::map<std::string, std::string> at_commit;

  /// Filters that make the output; 1 where it is of no bank.
  Index filter_count() const { return filters ? static_cast<Index>(filters->rows.size()) : 1; }
  /// Axes of the dataset before those of the form.
  std::size_t leading_axes() const { return snapshots || filters ? 1 : 0; }
  /// The input, or all of those that are stacked.
  const DatasetFacts& whole_input() const { return stacked ? stacked->all : input; }
  /// Axes of the dataset before those of `input`.
  std::size_t axes_before_input() const { return leading_axes() + (stacked ? 1 : 0); }
  /// Indices along the axes before those of the form.
  Index leading_count() const { return snapshots ? snapshots->count : filter_count(); }
  /// Extents of the boxes that are written.
  Point written_shape() const {
    Point shape = form.shape();
    shape[batch_axis] = checked_multiply(shape[batch_axis], filter_count());
    return shape;
  }
  /// Extents of the numbers of the dataset: with the parts of complex numbers as the last axis.
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
  /// Extents of the dataset, its chunk, and the extents of those axes of the form that the dataset
  /// has: without the parts of complex numbers.
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
