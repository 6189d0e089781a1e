#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/short_float.hpp"

namespace stencil::storage {

/// HDF5 identifier of an element type in memory. Must not be closed.
hid_t native_type(ElementType type);

/// Returns whether a type is exactly a floating-point type of IEEE 754 (binary16, binary32,
/// binary64, either byte order) or bfloat16: position and width of its fields, bias, leading bit,
/// precision.
bool is_standard_float(hid_t type);

/// Returns the numeric type as which HDF5 can read values of a file's type. HDF5 does not convert
/// booleans (an enumeration of FALSE = 0 and TRUE = 1, as written by h5py and PyTables) and bit
/// fields to integers. For these types the result is the integer type of the same size; for all
/// other types the result is a copy of the type.
Handle number_type(hid_t file_type);

/// Returns the smallest element type that can hold every value of a file's type, including any byte
/// order, narrow integers, booleans and bit fields. The result is std::nullopt if the type is not
/// numeric, is wider than 64 bits or is a non-standard floating-point type.
std::optional<ElementType> element_type_of(hid_t file_type);

/// Returns the intermediate type for the conversion from a file's type to `type`. The intermediate
/// type is needed for integers that do not fill their bytes. For example, HDF5 1.10 swaps the bytes
/// of a big-endian 12-bit integer without extending its sign, so such an integer is first widened
/// in its own byte order. For all other types the result is `type`.
/// @param file_type  a number_type()
Handle first_memory_type(hid_t file_type, ElementType type);

/// Calls `f` with a value of the C++ type that corresponds to `type`.
template <class F>
decltype(auto) visit_element(ElementType type, F&& f) {
  switch (type) {
    case ElementType::int8:
      return f(std::int8_t{});
    case ElementType::uint8:
      return f(std::uint8_t{});
    case ElementType::int16:
      return f(std::int16_t{});
    case ElementType::uint16:
      return f(std::uint16_t{});
    case ElementType::int32:
      return f(std::int32_t{});
    case ElementType::uint32:
      return f(std::uint32_t{});
    case ElementType::int64:
      return f(std::int64_t{});
    case ElementType::uint64:
      return f(std::uint64_t{});
    case ElementType::float16:
      return f(Float16{});
    case ElementType::bfloat16:
      return f(BFloat16{});
    case ElementType::float32:
      return f(float{});
    case ElementType::float64:
      break;
  }
  return f(double{});
}

}  // namespace stencil::storage
