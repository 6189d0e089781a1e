#include "io/read/native_numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/transfer.hpp"

namespace stencil::storage {
namespace {

template <class Word>
void swap_words(std::byte* points, Index count, Word (*swap)(Word)) {
  for (Index i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, points + i * Index{sizeof word}, sizeof word);
    word = swap(word);
    std::memcpy(points + i * Index{sizeof word}, &word, sizeof word);
  }
}

void swap_bytes(std::byte* points, Index count, Index element_bytes) {
  if (element_bytes == 2)
    swap_words<std::uint16_t>(points, count, [](std::uint16_t w) { return __builtin_bswap16(w); });
  else if (element_bytes == 4)
    swap_words<std::uint32_t>(points, count, [](std::uint32_t w) { return __builtin_bswap32(w); });
  else
    swap_words<std::uint64_t>(points, count, [](std::uint64_t w) { return __builtin_bswap64(w); });
}

/// Returns whether a type differs from the native type only in byte order.
bool is_swapped_type(hid_t type, hid_t native, Index element_bytes) {
  if (element_bytes != 2 && element_bytes != 4 && element_bytes != 8) return false;
  const Handle turned(H5Tcopy(type), H5Tclose);
  return H5Tget_order(type) == H5T_ORDER_BE && H5Tset_order(turned, H5T_ORDER_LE) >= 0 &&
         H5Tequal(turned, native) > 0;
}

/// Returns the type of one number in the file.
Handle stored_type_of(hid_t dataset, const std::string& where) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, where);
  if (auto numbers = complex_type_of(type)) return std::move(numbers->stored_part);
  return number_type(type);
}

}  // namespace

NativeNumbers::NativeNumbers(hid_t dataset, ElementType type, const std::string& where)
    : where_(where),
      type_(type),
      file_type_(stored_type_of(dataset, where)),
      first_type_(first_memory_type(file_type_, type)),
      stored_bytes_(static_cast<Index>(H5Tget_size(file_type_))) {
  is_native_ = H5Tequal(file_type_, native_type(type)) > 0;
  is_swapped_ = is_swapped_type(file_type_, native_type(type), stored_bytes_);
}

const std::byte* NativeNumbers::convert(std::byte* points, Index count, Bytes& room) const {
  const auto bytes = static_cast<Index>(size_of(type_));
  if (is_native_) return points;
  if (is_swapped_) {
    swap_bytes(points, count, bytes);
    return points;
  }
  std::byte* const to = room.hold(count * std::max(bytes, stored_bytes_));
  std::memcpy(to, points, static_cast<std::size_t>(count * stored_bytes_));
  const auto points_in = static_cast<std::size_t>(count);
  const Hdf5Lock lock;
  const bool is_done =
      H5Tconvert(file_type_, first_type_, points_in, to, nullptr, H5P_DEFAULT) >= 0 &&
      H5Tconvert(first_type_, native_type(type_), points_in, to, nullptr, H5P_DEFAULT) >= 0;
  if (!is_done) throw StorageError(where_ + ": cannot convert its elements");
  return to;
}

}  // namespace stencil::storage
