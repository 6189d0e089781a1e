#pragma once

#include <hdf5.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "framework/grid/error.hpp"
#include "framework/grid/sampling.hpp"
#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// Metadata that cannot be read from the input; failures of the output are errors of another type.
struct Unreadable : StorageError {
  using StorageError::StorageError;
};

/// Whether each output along the axis combines several inputs, such as channels. Metadata of single
/// input points then does not apply.
bool is_mixed(const AxisSampling& sampling);

/// Whether all outputs along an axis lie at points of the input.
bool is_inside(const AxisSampling& sampling, Index inputs);

/// Whether two axes are sampled at the same points.
bool is_same(const AxisSampling& a, const AxisSampling& b);

/// Whether nothing was ever written to a dataset, as netCDF does for dimensions without a variable.
bool is_unwritten(hid_t dataset);

/// Whether the values of a dataset are numbers or texts of one length, and are in the file itself
/// or were never written.
bool is_copyable(hid_t dataset);

/// The extents of a dataset; none for a scalar or an empty one. @throws Unreadable
std::vector<Index> dataset_extents(hid_t dataset);

/// A name that is unused in the group: the given one, or else with the axis appended.
std::string free_name(hid_t group, const std::string& name, std::size_t axis);

/// Makes a contiguous dataset; without extents a scalar one.
Handle make_values(hid_t group, const std::string& name, hid_t type,
                   const std::vector<Index>& extents, const std::string& what);

/// Changes values on their way: their type, the values and how many they are.
using ChangeValues = std::function<void(hid_t type, std::byte* values, std::size_t count)>;

/// Copies the values at the points `first + i * stride` of each axis, without changing the type, in
/// blocks of at most a million values.
///
/// @param from    one axis for each sampling, whose points are inside; a scalar has none
/// @param to      of the same type, with `count` points along each axis
/// @param change  called for each block before it is written
/// @throws Unreadable, StorageError
void copy_sampled(hid_t from, hid_t to, const std::vector<AxisSampling>& axes,
                  const std::string& what, const ChangeValues& change = {});

/// Makes a dataset with the values of `from`, which is along an axis of the input, at the points of
/// the output. Beyond the edges of the input, evenly spaced values are continued.
///
/// @param from    one-dimensional, is_copyable(), with `inputs` values
/// @returns an invalid handle if the values are not evenly spaced and cannot be continued
/// @throws Unreadable, StorageError
Handle carry_axis_values(hid_t from, hid_t group, const std::string& name,
                         const AxisSampling& sampling, Index inputs, const std::string& what);

}  // namespace stencil::storage
