#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// An axis of a dataset as the file describes it.
struct ListedAxis {
  std::string name;    ///< that of its dimension scale or convention; empty: the file gives none
  double spacing = 0;  ///< from one point to the next, in `unit`; 0: unknown, or not even
  std::string unit;    ///< of the coordinates; empty: unknown
  bool is_listed = false;  ///< whether a dimension scale gives the coordinates
};

/// A dataset of a file, as a list of them shows it.
struct ListedDataset {
  std::string path;
  std::string refusal;  ///< why the program does not read it; empty: it does
  bool is_scale = false;
  // Set only if it is read:
  DatasetFacts facts{};
  std::vector<ListedAxis> axes{};  ///< one for each axis
  std::string units{};             ///< of its values
};

/// The datasets of a file, in the order of their names, groups before what follows them.
struct FileListing {
  std::vector<ListedDataset> datasets;
  std::size_t left_out = 0;  ///< further datasets, of very many
  bool is_whole = true;      ///< false: a part of the file is damaged, and could not be searched
};

/// Lists the datasets that hard links of a file lead to. Like probe_dataset(), it inspects the file
/// in child processes: a dataset that crashes the HDF5 library is listed with that as its refusal.
///
/// @throws StorageError  the file is missing, unreadable, or not HDF5
FileListing list_datasets(const std::string& file);

/// One dataset of a file, which is read.
/// @throws as probe_dataset
ListedDataset list_dataset(const std::string& file, const std::string& dataset);

}  // namespace stencil
