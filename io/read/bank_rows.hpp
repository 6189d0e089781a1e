#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// A dataset, or a part of it along its first axis.
struct BankRows {
  DatasetFacts facts;  ///< facts of the part
  /// Whether the name contains a single index. The caller then drops the first axis, which has one
  /// point.
  bool is_one = false;
  std::vector<Index> rows{};  ///< for a slice, the selected indices along the dataset's first axis
};

/// Inspects the dataset with this name. If there is no such dataset, `/bank[3]`, or a slice as in
/// NumPy, `/bank[0:40:2]`, selects indices along the first axis of `/bank`.
///
/// @throws  like inspect(), for the whole name; WordsError if an index or a slice selects no row
BankRows inspect_bank(const std::string& file, const std::string& name);

}  // namespace stencil::storage
