#include "io/read/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "io/hdf5/chunk_check.hpp"
#include "io/hdf5/chunks.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

constexpr Index block = Index{1} << 16;  // values read at once

bool is_numeric(hid_t dataset, std::size_t* digits) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type) return false;
  const H5T_class_t kind = H5Tget_class(type);
  if (digits && kind == H5T_FLOAT) *digits = H5Tget_size(type) == 8 ? 52 : 23;
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

bool read_run(hid_t dataset, Index first, std::vector<double>& values) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hsize_t start = static_cast<hsize_t>(first), count = values.size();
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
         succeeded(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()),
                   dataset, "cannot read coordinates");
}

}  // namespace

double unit_in_seconds(const std::string& unit) {
  static const std::map<std::string, double> units{{"s", 1},
                                                   {"sec", 1},
                                                   {"second", 1},
                                                   {"seconds", 1},
                                                   {"ms", 1e-3},
                                                   {"millisecond", 1e-3},
                                                   {"milliseconds", 1e-3},
                                                   {"us", 1e-6},
                                                   {"microsecond", 1e-6},
                                                   {"microseconds", 1e-6},
                                                   {"ns", 1e-9},
                                                   {"nanosecond", 1e-9},
                                                   {"nanoseconds", 1e-9},
                                                   {"min", 60},
                                                   {"minute", 60},
                                                   {"minutes", 60},
                                                   {"h", 3600},
                                                   {"hour", 3600},
                                                   {"hours", 3600},
                                                   {"d", 86400},
                                                   {"day", 86400},
                                                   {"days", 86400}};
  const auto found = units.find(unit.substr(0, unit.find(' ')));
  const bool is_plain =
      unit.find(' ') == std::string::npos || unit.find(" since ") != std::string::npos;
  return found == units.end() || !is_plain ? 0 : found->second;
}

bool has_length(hid_t dataset, Index length) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space || H5Sget_simple_extent_ndims(space) != 1) return false;
  hsize_t found = 0;
  H5Sget_simple_extent_dims(space, &found, nullptr);
  return found == static_cast<hsize_t>(length);
}

std::optional<std::pair<double, double>> ends_of(hid_t coordinate, Index length) {
  if (length < 1 || !has_length(coordinate, length) || !is_numeric(coordinate, nullptr) ||
      !is_stored_here(coordinate))
    return std::nullopt;
  std::vector<double> first(1), last(1);
  if (!read_run(coordinate, 0, first) || !read_run(coordinate, length - 1, last))
    return std::nullopt;
  return std::pair(first[0], last[0]);
}

std::optional<double> even_step(hid_t coordinate, Index length) {
  const auto ends = length < 2 ? std::nullopt : ends_of(coordinate, length);
  if (!ends) return std::nullopt;
  const auto [first, last] = *ends;
  const double step = (last - first) / static_cast<double>(length - 1);
  if (!std::isfinite(step) || step == 0) return std::nullopt;
  std::size_t digits = 52;
  is_numeric(coordinate, &digits);
  std::vector<double> values;
  const double rounding =
      std::ldexp(std::max(std::abs(first), std::abs(last)), -static_cast<int>(digits));
  const double tolerance = 1e-3 * std::abs(step) + rounding;
  for (Index at = 0; at < length; at += block) {
    values.resize(static_cast<std::size_t>(std::min(block, length - at)));
    if (!read_run(coordinate, at, values)) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double even = first + step * static_cast<double>(at + static_cast<Index>(i));
      if (!(std::abs(values[i] - even) <= tolerance)) return std::nullopt;
    }
  }
  return step;
}

std::optional<Interval> ordered_within(hid_t coordinate, Index length, double low, double high) {
  std::size_t digits = 52;
  is_numeric(coordinate, &digits);
  if (digits == 23) {  // 0.1 stands for the value that float32 has for it
    low = static_cast<float>(low);
    high = static_cast<float>(high);
  }
  Interval inside{length, 0};
  double before = 0;
  int direction = 0;
  std::vector<double> values;
  for (Index at = 0; at < length; at += block) {
    values.resize(static_cast<std::size_t>(std::min(block, length - at)));
    if (!read_run(coordinate, at, values)) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Index index = at + static_cast<Index>(i);
      const double value = values[i];
      const int rises = value > before ? 1 : value < before ? -1 : 0;
      if (std::isnan(value) || (index > 0 && rises == 0)) return std::nullopt;
      if (index > 1 && rises != direction) return std::nullopt;
      direction = rises;
      before = value;
      if (value < low || value > high) continue;
      inside = {std::min(inside.first, index), index + 1};
    }
  }
  return inside.first < inside.last ? inside : Interval{0, 0};
}

bool is_stored_here(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation || H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
    return false;
  const bool is_written = H5Dget_storage_size(dataset) > 0;  // also 0 if the call fails
  if (!is_written && storage_failed()) throw_lookup(dataset, "cannot tell where it is stored");
  if (!is_written || H5Pget_layout(creation) != H5D_CHUNKED) return is_written;
  const std::string where = "coordinates of " + object_file(dataset);
  const ChunkLayout layout = chunk_layout_of(dataset, where);
  return chunks_on_record(dataset, where) <= layout.count() &&
         !fault_of_chunks(dataset, layout, true, where);
}

std::optional<double> single_number(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  double value = 0;
  if (!space || H5Sget_simple_extent_npoints(space) != 1 || !is_numeric(dataset, nullptr) ||
      !is_stored_here(dataset) ||
      !succeeded(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value),
                 dataset, "cannot read it"))
    return std::nullopt;
  return value;
}

}  // namespace stencil::storage
