#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// A dataset, or a part of one along its first axis.
struct BankRows {
  DatasetFacts facts;         ///< of the part
  bool is_one = false;        ///< one index: its first axis, of one point, does not count
  std::vector<Index> rows{};  ///< of a slice: the indices along the dataset's first axis
};

/// Inspects a dataset of this name. If there is none, `/bank[3]` or a slice as in NumPy,
/// `/bank[0:40:2]`, means indices along the first axis of `/bank`.
///
/// @throws as inspect, for the name as it is written; WordsError  an index or a slice without a row
BankRows inspect_bank(const std::string& file, const std::string& name);

}  // namespace stencil::storage
