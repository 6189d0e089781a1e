#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// A dataset, or a part of it along its first axis.
struct BankRows {
  DatasetFacts facts;  ///< facts of the part
  /// A single index was given: the first axis, which then has one point, is dropped.
  bool is_one = false;
  std::vector<Index> rows{};  ///< for a slice: its indices along the dataset's first axis
};

/// Inspects the dataset with this name. If there is none, `/bank[3]`, or a slice as in NumPy,
/// `/bank[0:40:2]`, selects indices along the first axis of `/bank`.
///
/// @throws  like inspect(), for the whole name; WordsError  an index or a slice that selects no row
BankRows inspect_bank(const std::string& file, const std::string& name);

}  // namespace stencil::storage
