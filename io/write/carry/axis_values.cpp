#include "io/write/carry/axis_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/packed_numbers.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/coordinates.hpp"

namespace stencil::storage {
namespace {

constexpr Index block = Index{1} << 20;  // values copied at once

Handle space_of(const std::vector<hsize_t>& extents, const std::string& what) {
  return owned(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
               H5Sclose, what);
}

void read_values(hid_t from, hid_t type, hid_t memory, hid_t source, void* values,
                 const std::string& what) {
  if (!succeeded(H5Dread(from, type, memory, source, H5P_DEFAULT, values), from,
                 "cannot read coordinates"))
    throw Unreadable(what);
}

/// Visits the points of some axes in blocks of limited size, in row-major order.
class BlockWalk {
 public:
  BlockWalk(const std::vector<AxisSampling>& axes, Index most_points) : axes_(axes) {
    extents_.resize(axes.size(), 1);
    first_.resize(axes.size(), 0);
    for (std::size_t axis = axes.size(); axis-- > 0 && most_ < most_points;) {
      extents_[axis] = std::clamp(most_points / most_, Index{1}, axes[axis].count);
      most_ *= extents_[axis];
      if (extents_[axis] < axes[axis].count) break;
    }
  }
  /// Number of points of the largest block.
  Index most() const { return most_; }
  /// Selects the points of the block in both datasets. @returns a dataspace of its shape
  Handle select(hid_t source, hid_t target, const std::string& what) const {
    if (axes_.empty()) return owned(H5Screate(H5S_SCALAR), H5Sclose, what);
    std::vector<hsize_t> from, stride, to, count;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      from.push_back(static_cast<hsize_t>(axes_[axis].first + first_[axis] * axes_[axis].stride));
      stride.push_back(static_cast<hsize_t>(axes_[axis].stride));
      to.push_back(static_cast<hsize_t>(first_[axis]));
      count.push_back(
          static_cast<hsize_t>(std::min(extents_[axis], axes_[axis].count - first_[axis])));
    }
    checked(H5Sselect_hyperslab(source, H5S_SELECT_SET, from.data(), stride.data(), count.data(),
                                nullptr),
            what);
    checked(H5Sselect_hyperslab(target, H5S_SELECT_SET, to.data(), nullptr, count.data(), nullptr),
            what);
    return space_of(count, what);
  }
  /// Advances to the next block. @returns false if there is no further block
  bool next() {
    for (std::size_t axis = axes_.size(); axis-- > 0; first_[axis] = 0)
      if ((first_[axis] += extents_[axis]) < axes_[axis].count) return true;
    return false;
  }

 private:
  const std::vector<AxisSampling>& axes_;
  std::vector<Index> extents_, first_;
  Index most_ = 1;
};

constexpr double most_whole = 0x1p61;  // the sum of two such numbers fits into 64 bits

Index clamped(Index value) {
  constexpr Index most = Index{1} << 61;
  return std::clamp(value, -most, most);
}

/// Returns the integer value at an index.
Index whole_at(hid_t from, Index index, const std::string& what) {
  Index value = 0;
  const Handle at = select(from, {{index}, {1}}, what), one = points_in_a_row(1, what);
  read_values(from, H5T_NATIVE_INT64, one, at, &value, what);
  return value;
}

double real_at(hid_t from, Index index, const std::string& what) {
  double value = 0;
  const Handle at = select(from, {{index}, {1}}, what), one = points_in_a_row(1, what);
  read_values(from, H5T_NATIVE_DOUBLE, one, at, &value, what);
  return value;
}

template <class T, class ValueAt>
void write_values(hid_t to, hid_t memory_type, Index count, const std::string& what,
                  const ValueAt& value_at) {
  std::vector<T> values(static_cast<std::size_t>(std::min(block, count)));
  for (Index at = 0; at < count; at += block) {
    const Index here = std::min(block, count - at);
    for (Index i = 0; i < here; ++i) values[static_cast<std::size_t>(i)] = value_at(at + i);
    const Handle row = points_in_a_row(here, what), target = select(to, {{at}, {here}}, what);
    checked(H5Dwrite(to, memory_type, row, target, H5P_DEFAULT, values.data()), what);
  }
}

/// Writes evenly spaced values, including extrapolated values beyond the edges of the input.
/// Integers, such as times in ns, are computed as integers, because a double has too few digits.
/// Packed values are written with the same packing.
void write_even(hid_t from, hid_t to, const AxisSampling& s, Index inputs,
                const std::string& what) {
  const Handle type = owned(H5Dget_type(from), H5Tclose, what);
  const auto index = [&](Index i) { return s.first + i * s.stride; };
  if (H5Tget_class(type) == H5T_INTEGER) {
    const Index first = clamped(whole_at(from, 0, what)),
                last = clamped(whole_at(from, inputs - 1, what));
    const double whole_step = static_cast<double>(last - first) / static_cast<double>(inputs - 1);
    write_values<Index>(to, H5T_NATIVE_INT64, s.count, what, [&](Index i) {
      const double steps = whole_step * static_cast<double>(index(i));
      return first + std::llround(std::clamp(steps, -most_whole, most_whole));
    });
  } else {
    const double first = real_at(from, 0, what);
    const double step = (real_at(from, inputs - 1, what) - first) / static_cast<double>(inputs - 1);
    write_values<double>(to, H5T_NATIVE_DOUBLE, s.count, what,
                         [&](Index i) { return first + step * static_cast<double>(index(i)); });
  }
}

}  // namespace

bool is_mixed(const AxisSampling& sampling) {
  return sampling.block_in != sampling.block_out;
}

bool is_inside(const AxisSampling& sampling, Index inputs) {
  return sampling.first >= 0 && sampling.first + (sampling.count - 1) * sampling.stride < inputs;
}

bool is_same(const AxisSampling& a, const AxisSampling& b) {
  return a.first == b.first && a.stride == b.stride && a.count == b.count;
}

bool is_unwritten(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  return creation && H5Pget_external_count(creation) == 0 &&
         H5Pget_layout(creation) != H5D_VIRTUAL && H5Dget_storage_size(dataset) == 0 &&
         !storage_failed();
}

bool is_copyable(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type) return false;
  const H5T_class_t kind = H5Tget_class(type);
  const bool is_plain = kind == H5T_INTEGER || kind == H5T_FLOAT ||
                        (kind == H5T_STRING && H5Tis_variable_str(type) == 0);
  return is_plain && (is_unwritten(dataset) || is_stored_here(dataset));
}

std::vector<Index> dataset_extents(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 0) throw Unreadable("the extents of a dataset cannot be read");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

std::string free_name(hid_t group, const std::string& name, std::size_t axis) {
  std::string free = name;
  for (std::size_t number = axis; has_link(group, free); ++number)
    free = fmt::format("{}_{}", name, number);
  return free;
}

Handle make_values(hid_t group, const std::string& name, hid_t type,
                   const std::vector<Index>& extents, const std::string& what) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  H5Pset_layout(creation, H5D_CONTIGUOUS);
  const Handle space = extents.empty() ? owned(H5Screate(H5S_SCALAR), H5Sclose, what)
                                       : space_of({extents.begin(), extents.end()}, what);
  return owned(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
               H5Dclose, what);
}

void copy_sampled(hid_t from, hid_t to, const std::vector<AxisSampling>& axes,
                  const std::string& what, const ChangeValues& change) {
  const Handle type = owned(H5Dget_type(from), H5Tclose, what);
  for (const AxisSampling& axis : axes)
    if (axis.count == 0) return;
  const bool is_of_pointers = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0;
  BlockWalk walk(axes, std::max<Index>(1, block / (is_of_pointers ? 16 : 1)));
  std::vector<std::byte> values(static_cast<std::size_t>(walk.most()) * H5Tget_size(type));
  const Handle source = owned(H5Dget_space(from), H5Sclose, what),
               target = owned(H5Dget_space(to), H5Sclose, what);
  do {
    const Handle memory = walk.select(source, target, what);
    read_values(from, type, memory, source, values.data(), what);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(memory));
    if (change) change(type, values.data(), count);
    const herr_t written = H5Dwrite(to, type, memory, target, H5P_DEFAULT, values.data());
    if (is_of_pointers) H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values.data());
    checked(written, what);
  } while (walk.next());
}

Handle carry_axis_values(hid_t from, hid_t group, const std::string& name,
                         const AxisSampling& sampling, Index inputs, const std::string& what) {
  const bool inside = is_inside(sampling, inputs);
  // integers whose sign `_Unsigned` changes are only copied, because HDF5 cannot convert values to
  // such integers
  const bool is_even =
      !inside && !packed_numbers_of(from).has_other_sign && even_spacing(from, inputs).has_value();
  if (!inside && !is_even) return {};
  const Handle stored = owned(H5Dget_type(from), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);  // the copy of a named type is
                                                               // transient and can be used in the
                                                               // output
  Handle target = make_values(group, name, type, {sampling.count}, what);
  if (is_even)
    write_even(from, target, sampling, inputs, what);
  else
    copy_sampled(from, target, {sampling}, what);
  return target;
}

}  // namespace stencil::storage
