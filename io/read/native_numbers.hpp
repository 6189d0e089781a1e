#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/unpack.hpp"

namespace stencil::storage {

/// Converts numbers of a dataset, as stored in the file, to the native type of this processor. Each
/// part of a complex number is one number. May be used by several threads.
class NativeNumbers {
 public:
  /// @param dataset  an open dataset
  /// @param type     the native type
  /// @param where    name of the dataset, for errors
  NativeNumbers(hid_t dataset, ElementType type, const std::string& where);

  /// Converts `count` numbers at `points`, in place if the stored type differs at most in the order
  /// of its bytes.
  /// @param room  memory for the result if it is not stored in place
  /// @returns the address of the result
  /// @throws StorageError  HDF5 cannot convert the numbers
  const std::byte* convert(std::byte* points, Index count, Bytes& room) const;

 private:
  std::string where_;
  ElementType type_;
  Handle file_type_, first_type_;  ///< see first_memory_type()
  Index stored_bytes_;             ///< bytes of a number in the file
  /// Whether the type in the file is the native type, or differs from it only in the byte order.
  bool is_native_ = false, is_swapped_ = false;
};

}  // namespace stencil::storage
