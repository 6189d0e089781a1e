#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join.hpp"
#include "io/read/select.hpp"

namespace stencil {

/// Inspects a dataset in a forked child with limits on time and memory, so that a malformed file
/// can crash the child only; call it before MPI_Init. Refuses a file that is not HDF5 or is
/// truncated, chunks that were never written, external storage, external links, virtual sources
/// that are missing or outside the file's folder, filters that are not built in, types that are not
/// numbers, extents whose product does not fit into 64 bits, and storage that is smaller than the
/// shape.
///
/// @throws StorageError  the file is missing, unreadable, malformed or refused
/// @throws WordsError    no such dataset (the message names the nearest paths), or not numeric
DatasetFacts probe_dataset(const std::string& file, const std::string& dataset);

/// Inspects the dataset of that name, or those that match it as a pattern (see datasets_named()),
/// in each of several files, and joins them, see join(). A single dataset is inspected as by
/// probe_dataset().
///
/// @returns one; for Gaps::split one for each stretch without a gap, in the order of time
/// @throws as probe_dataset, naming the file; as join
std::vector<DatasetFacts> probe_joined(const std::vector<std::string>& files,
                                       const std::string& dataset, const JoinWords& words);

/// Tries in a child process to copy the rest of the file that contains a dataset, as
/// OutputSpec::copies_rest requests: if the file crashes the HDF5 library, only the child crashes.
/// @throws as probe_dataset
void probe_rest(const DatasetFacts& facts);

/// Sets DatasetFacts::wanted, the points that a selection takes along each axis. Stretches without
/// any of these points are left out. Reads coordinates in a child process, too.
///
/// @param stretches  one at least, from probe_joined()
/// @throws WordsError    more items than axes, two for one axis, no point in any stretch, a slice
///                       of the joined axis of several stretches; as find_range
/// @throws StorageError  as probe_dataset
void probe_selection(std::vector<DatasetFacts>& stretches, const Selection& selection);

/// The files with the values of virtual coordinates and other variables of an inspected dataset,
/// see storage::sources_beside(). Inspects them in a child process, too; returns none if that
/// fails, because the run does not read them.
std::vector<std::string> probe_sources_beside(const DatasetFacts& facts);

/// A mask, or a bank of masks along its first axis.
struct SmallArray {
  std::vector<Index> dims;
  std::vector<double> values;  ///< of complex numbers the real parts
  std::vector<Index> rows{};  ///< indices that a bank takes of the dataset's first axis; else empty
  std::vector<std::string> sources{};  ///< other files that a virtual dataset has its values from
  std::vector<double> imaginary{};     ///< the imaginary parts; empty for real numbers
};
/// Reads a whole dataset of one to four dimensions as double: a mask. If there is no dataset
/// of that name, `/bank[3]` means index 3 along the first axis of `/bank` (-1 is the last), and a
/// slice, `/bank[0:40]` or `/bank[:]`, means a bank of masks of one or two axes.
/// @throws as probe_dataset; WordsError for another number of axes or more than 2^24 values, for an
///         index or a slice without a row
SmallArray read_small_array(const std::string& file, const std::string& dataset);

}  // namespace stencil
