#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>

#include "io/dataset_facts.hpp"

namespace stencil::storage {

/// HDF5's name for an element type in memory. Not to be closed.
hid_t native_type(ElementType type);

/// The element type that holds every value of a file's type: any byte order, narrow integers and
/// half precision included. Nothing if the type is no number or is wider than 64 bits.
std::optional<ElementType> element_type_of(hid_t file_type);

/// Calls `f` with a value of the C++ type that `type` names.
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
    case ElementType::float32:
      return f(float{});
    case ElementType::float64:
      break;
  }
  return f(double{});
}

}  // namespace stencil::storage
