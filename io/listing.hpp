#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// An axis of a dataset as described by the file.
struct ListedAxis {
  std::string name;  ///< from the dimension scale or a convention; empty if the file gives no name
  double spacing = 0;  ///< difference between the coordinates of neighbouring points, in `unit`; 0
                       ///< if unknown or uneven
  std::string unit;    ///< unit of the coordinates; empty if unknown
  bool is_listed = false;  ///< whether a dimension scale contains the coordinates
};

/// A dataset of a file as an entry of a list.
struct ListedDataset {
  std::string path;
  std::string
      refusal;  ///< reason why the program does not read the dataset; empty if it can be read
  bool is_scale = false;
  // Set only if the dataset can be read:
  DatasetFacts facts{};
  std::vector<ListedAxis> axes{};  ///< one per axis
  std::string units{};             ///< unit of the values
};

/// The datasets of a file, sorted by name. The members of a group precede the objects that follow
/// the group.
struct FileListing {
  std::vector<ListedDataset> datasets;
  std::size_t left_out = 0;  ///< number of further datasets that are not listed because there are
                             ///< too many
  bool is_whole = true;      ///< false if a part of the file is damaged and could not be searched
};

/// Lists the datasets that are reachable through hard links of a file. Like probe_dataset(), this
/// function inspects the file in child processes: a dataset that crashes the HDF5 library is listed
/// with the crash as the reason for its refusal. A dataset whose inspection takes too long is
/// listed as refused. After two datasets whose inspection took too long, all further datasets are
/// refused without inspection.
///
/// @throws StorageError  the file is missing, unreadable, or not HDF5
FileListing list_datasets(const std::string& file);

/// Describes one dataset of a file, which must be readable.
/// @throws  like probe_dataset()
ListedDataset list_dataset(const std::string& file, const std::string& dataset);

}  // namespace stencil
