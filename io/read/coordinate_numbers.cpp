#include "io/read/coordinate_numbers.hpp"

#include <string>
#include <type_traits>

#include "io/hdf5/chunk_check.hpp"
#include "io/hdf5/chunks.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {

std::optional<StoredNumbers> numbers_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type) return std::nullopt;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return std::nullopt;
  StoredNumbers numbers;
  numbers.packing = packed_numbers_of(dataset);
  if (!numbers.packing.is_sound()) return std::nullopt;
  const std::size_t size = H5Tget_size(type);
  if (kind == H5T_FLOAT) numbers.digits = size == 8 ? 52 : size == 2 ? 10 : 23;
  if (!numbers.packing.has_other_sign) return numbers;
  // Index can represent signed and unsigned numbers only up to 4 bytes
  if (size > 4) return std::nullopt;
  numbers.all_bits = Index{1} << (8 * size);
  if (H5Tget_sign(type) != H5T_SGN_NONE)
    numbers.lowest = 0;
  else
    numbers.beyond = numbers.all_bits / 2;
  return numbers;
}

bool has_length(hid_t dataset, Index length) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space || H5Sget_simple_extent_ndims(space) != 1) return false;
  hsize_t found = 0;
  H5Sget_simple_extent_dims(space, &found, nullptr);
  return found == static_cast<hsize_t>(length);
}

bool is_stored_here(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation || H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
    return false;
  const bool is_written = H5Dget_storage_size(dataset) > 0;  // the size is also 0 if the call fails
  if (!is_written && storage_failed()) throw_lookup(dataset, "cannot tell where it is stored");
  if (!is_written || H5Pget_layout(creation) != H5D_CHUNKED) return is_written;
  const std::string where = "coordinates of " + object_file(dataset);
  const ChunkLayout layout = chunk_layout_of(dataset, where);
  return chunks_on_record(dataset, where) <= layout.count() &&
         !fault_of_chunks(dataset, layout, true, where);
}

template <class T>
bool read_run(hid_t dataset, const StoredNumbers& stored, Index first, std::vector<T>& numbers) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hsize_t start = static_cast<hsize_t>(first), count = numbers.size();
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const hid_t type = std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
      !succeeded(H5Dread(dataset, type, memory, space, H5P_DEFAULT, numbers.data()), dataset,
                 "cannot read coordinates"))
    return false;
  if (stored.all_bits != 0)
    for (T& number : numbers) number = stored.with_sign(number);
  return true;
}

template <class T>
std::optional<std::pair<T, T>> pair_as(hid_t coordinate, const StoredNumbers& stored, Index length,
                                       Index one, Index other) {
  if (one < 0 || other >= length || !has_length(coordinate, length) || !is_stored_here(coordinate))
    return std::nullopt;
  std::vector<T> first(1), last(1);
  if (!read_run(coordinate, stored, one, first) || !read_run(coordinate, stored, other, last))
    return std::nullopt;
  return std::pair(first[0], last[0]);
}

template bool read_run(hid_t, const StoredNumbers&, Index, std::vector<Index>&);
template bool read_run(hid_t, const StoredNumbers&, Index, std::vector<double>&);
template std::optional<std::pair<Index, Index>> pair_as(hid_t, const StoredNumbers&, Index, Index,
                                                        Index);
template std::optional<std::pair<double, double>> pair_as(hid_t, const StoredNumbers&, Index, Index,
                                                          Index);

}  // namespace stencil::storage
