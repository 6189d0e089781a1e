#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// A type of complex numbers in a file: a compound of two floating-point numbers of the same type,
/// as h5py, MATLAB, Octave and Julia write it.
struct ComplexType {
  ElementType part = ElementType::float32;  ///< type of each part in memory
  std::string real, imaginary;              ///< names of the members
  Handle stored_part;                       ///< the type of each part in the file
  /// Whether an element consists of the real part, followed by the imaginary part, without any
  /// other bytes.
  bool is_dense = false;
};

/// Returns whether `real` and `imaginary` are usual names of a real and an imaginary part: `r`,
/// `re` or `real`, and `i`, `im`, `imag` or `imaginary`, in upper or lower case.
bool are_names_of_parts(const std::string& real, const std::string& imaginary);

/// Describes a type of complex numbers of float32 or float64, in either byte order. The member that
/// comes first in the type is the real part, unless the names are usual names in the reverse order
/// (are_names_of_parts()).
///
/// @returns std::nullopt for any other type
std::optional<ComplexType> complex_type_of(hid_t file_type);

/// Returns the type in memory of both parts, one after the other (part < 0), or of the real part
/// (0) or the imaginary part (1) alone.
Handle memory_type(const ComplexType& type, Index part);

/// Returns the type of a complex number in an output: `r` and `i`, which h5py reads as complex64 or
/// complex128.
Handle complex_output_type(ElementType part);

}  // namespace stencil::storage
