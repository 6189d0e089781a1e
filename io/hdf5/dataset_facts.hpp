#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil {

/// A box of a virtual dataset and the box of its source that the points are taken from: the same
/// extents but for axes of one point, so both have the points in the same row-major order.
struct VirtualMapping {
  Index source = 0;  ///< in DatasetFacts::source_datasets
  std::vector<Index> start, count;
  std::vector<Index> source_start, source_count;
};

/// Everything the plan needs to know of an input dataset, as plain numbers that can be broadcast.
struct DatasetFacts {
  std::string file, dataset;
  std::vector<Index> dims;  ///< slowest axis first; `{}` is refused earlier
  ElementType type = ElementType::float32;
  bool is_half = false;      ///< stored in 16 bits and read as float32
  std::string layout;        ///< `contiguous`, `chunked`, `compact`, `virtual`
  std::vector<Index> chunk;  ///< empty unless chunked
  Index chunk_bytes = 0;     ///< of the largest chunk unpacked, those of virtual sources included
  std::string filters;       ///< `gzip`, `shuffle+gzip` ..., empty for none
  Index storage_bytes = 0;
  Index data_offset = -1;  ///< of contiguous data in the file; -1 otherwise
  /// Samples per second along each dataset axis where the metadata say so, and where it was found:
  /// dataset attribute Xspacing (s), group attributes OutputDataRate, PulseRate or similar (Hz), or
  /// an evenly spaced coordinate variable in seconds. 0 where unknown.
  std::vector<double> sampling_rate;
  std::vector<std::string> sampling_source;
  /// Values of the attributes _FillValue and missing_value.
  std::vector<ElementValue> missing_values;
  /// Whether scale_factor or add_offset say that what is stored is packed; it is read as it is.
  bool is_packed = false;
  /// Size and time of the last change (ns since 1970), to notice a file that changes after the
  /// probe.
  Index file_bytes = 0;
  Index modified = 0;
  std::vector<std::string> sources;  ///< other files that a virtual dataset takes its points from
  /// Size and time of the last change of each source, as those of the file itself.
  std::vector<Index> source_bytes, source_modified;
  /// The datasets that a virtual dataset takes its points from, each once.
  std::vector<DatasetFacts> source_datasets;
  /// Where each point of a virtual dataset is taken from; empty where that is not told by disjoint
  /// boxes of sources of the same element type: then HDF5 reads it.
  std::vector<VirtualMapping> mappings;
};

std::string serialize(const DatasetFacts& facts);
DatasetFacts facts_from(const std::string& serialized);

}  // namespace stencil
