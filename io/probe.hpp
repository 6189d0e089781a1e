#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join.hpp"
#include "io/read/select.hpp"

namespace stencil {

/// Inspects a dataset in a forked child process with limits on time and memory, so that a malformed
/// file can crash only the child. Call this function before MPI_Init. It rejects files that are not
/// HDF5 or are truncated, points that were never written and have no fill value, external storage,
/// external links, virtual sources that are missing or outside the file's folder, filters that are
/// not built in, types that are not numeric, extents whose product overflows 64 bits, and storage
/// that is smaller than the shape requires.
///
/// @throws StorageError  the file is missing, unreadable, malformed or rejected
/// @throws WordsError    there is no such dataset (the message names the most similar paths), or
///                       the dataset is not numeric
DatasetFacts probe_dataset(const std::string& file, const std::string& dataset);

/// Joins datasets of several files, see join(). Of each file, the dataset with the given name is
/// joined or, if the name is a pattern, all datasets that match the pattern, see datasets_named().
/// A single dataset is inspected as in probe_dataset().
///
/// @returns one dataset; with Gaps::split, one dataset for each stretch of points without a gap in
///          time, in the order of time
/// @throws  the errors of probe_dataset(), whose messages then name the file, and those of join()
std::vector<DatasetFacts> probe_joined(const std::vector<std::string>& files,
                                       const std::string& dataset, const JoinWords& words);

/// Checks that the other contents of a dataset's file can be copied, as OutputSpec::copies_rest
/// requests. A child process copies these contents to a file in memory, up to 1 MiB of each
/// dataset. If the contents crash the HDF5 library, only the child crashes.
/// @throws  the errors of probe_dataset()
void probe_rest(const DatasetFacts& facts);

/// Sets DatasetFacts::wanted, the points that a selection takes along each axis. Stretches that
/// contain none of these points are removed. Coordinates are also read in a child process.
///
/// @param stretches  from probe_joined(); at least one
/// @throws WordsError    the selection has more items than the dataset has axes, or two items for
///                       one axis; it contains no point of any stretch; it has a slice along the
///                       joined axis although there are several stretches; or find_range() throws
///                       the error
/// @throws StorageError  like probe_dataset()
void probe_selection(std::vector<DatasetFacts>& stretches, const Selection& selection);

/// Sets the coordinates of a dataset that is not a selection, see storage::find_coordinates().
/// Reads them in a child process.
/// @throws StorageError  like probe_dataset(); joined files have different coordinates
void probe_coordinates(DatasetFacts& facts);

/// Returns the files that contain values of virtual coordinates and other virtual variables of an
/// inspected dataset, see storage::sources_beside(). The search runs in a child process. If the
/// child fails, the result is empty, because the run does not read these files.
std::vector<std::string> probe_sources_beside(const DatasetFacts& facts);

/// A mask, or a bank of masks along its first axis.
struct SmallArray {
  std::vector<Index> dims;
  std::vector<double> values;  ///< for complex numbers, the real parts
  /// For a bank, the indices of its masks along the dataset's first axis; otherwise empty.
  std::vector<Index> rows{};
  std::vector<std::string> sources{};  ///< other files that contain values of a virtual dataset
  std::vector<double> imaginary{};     ///< the imaginary parts; empty for real numbers
};
/// Reads a whole dataset of one to four dimensions as double: a mask. If no dataset has the name
/// `/bank[3]`, this name selects index 3 along the first axis of `/bank` (-1 is the last index). A
/// slice, `/bank[0:40]` or `/bank[:]`, selects a bank of masks, each with one or two axes.
/// @throws  like probe_dataset(); WordsError for another number of axes, for more than 2^24 values,
///          and for an index or a slice that selects no row
SmallArray read_small_array(const std::string& file, const std::string& dataset);

}  // namespace stencil
