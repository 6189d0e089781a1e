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

/// The error for unreadable metadata of the input; failures of the output have another type.
struct Unreadable : StorageError {
  using StorageError::StorageError;
};

/// Returns whether each output point along the axis combines several input points, for example
/// channels. Metadata of single input points is then not valid.
bool is_mixed(const AxisSampling& sampling);

/// Returns whether all output points along an axis lie at input points.
bool is_inside(const AxisSampling& sampling, Index inputs);

/// Returns whether two axes are sampled at the same points.
bool is_same(const AxisSampling& a, const AxisSampling& b);

/// Returns whether nothing was ever written to a dataset; netCDF creates such datasets for
/// dimensions without a variable.
bool is_unwritten(hid_t dataset);

/// Returns whether the values of a dataset are numbers or texts of fixed length, and are either
/// stored in the file of the dataset or were never written.
bool is_copyable(hid_t dataset);

/// Returns the extents of a dataset; empty for a scalar or a null dataspace. @throws Unreadable
std::vector<Index> dataset_extents(hid_t dataset);

/// Returns a name that is unused in the group: the given name, or that name with the axis appended.
std::string free_name(hid_t group, const std::string& name, std::size_t axis);

/// Creates a contiguous dataset; a scalar dataset if there are no extents.
Handle make_values(hid_t group, const std::string& name, hid_t type,
                   const std::vector<Index>& extents, const std::string& what);

/// Function that changes values before they are written. Its arguments are the type of the values,
/// the values and the number of values.
using ChangeValues = std::function<void(hid_t type, std::byte* values, std::size_t count)>;

/// Copies the values at the points `first + i * stride` of each axis, without changing the type, in
/// blocks of at most a million values.
///
/// @param from    dataset with one axis for each element of `axes`, whose points lie inside this
///                axis; a scalar has no axes
/// @param to      dataset of the same type, with `count` points along each axis
/// @param change  called for each block before it is written
/// @throws Unreadable, StorageError
void copy_sampled(hid_t from, hid_t to, const std::vector<AxisSampling>& axes,
                  const std::string& what, const ChangeValues& change = {});

/// Makes a dataset with the values of `from`, which belong to an axis of the input, at the points
/// of the output. Beyond the edges of the input, evenly spaced values are extrapolated.
///
/// @param from    one-dimensional dataset for which is_copyable() is true, with `inputs` values
/// @returns an invalid handle if the values cannot be extrapolated because they are not evenly
///          spaced
/// @throws Unreadable, StorageError
Handle carry_axis_values(hid_t from, hid_t group, const std::string& name,
                         const AxisSampling& sampling, Index inputs, const std::string& what);

}  // namespace stencil::storage
