#pragma once

#include <hdf5.h>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/attribute_messages.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil::storage {

/// Returns whether the header contains all values of an open attribute and the class of the
/// attribute's dataspace is valid. HDF5 1.10 checks neither of the two, and may read beyond the end
/// of the header.
///
/// @param room  attribute_room() of the object that has the attribute
bool is_sound(hid_t attribute, const std::string& name, const AttributeRoom& room);

/// Reads the values of an open attribute. The memory of the process is limited while values of
/// variable length are read.
///
/// @returns false if the values are damaged
/// @throws StorageError  the file cannot be read
bool read_attribute(hid_t attribute, hid_t type, void* values);

// The functions below throw StorageError if the file cannot be read; they report an attribute as
// absent only if it is known to be absent.

/// Returns the values of a numeric attribute as double; std::nullopt if the attribute does not
/// exist or is not numeric.
std::optional<std::vector<double>> attribute_numbers(hid_t object, const std::string& name);

/// Returns the exact values of a numeric attribute; empty if the attribute does not exist or is not
/// numeric.
std::vector<ElementValue> attribute_values(hid_t object, const std::string& name);

/// Returns the values of an attribute of complex or real numbers; empty if the attribute does not
/// exist or is not numeric.
std::vector<std::complex<double>> attribute_complex_numbers(hid_t object, const std::string& name);

/// Returns the first value of a numeric attribute; std::nullopt if the attribute does not exist or
/// is not numeric.
std::optional<double> attribute_number(hid_t object, const std::string& name);

/// Returns the values of a text attribute without padding; empty if the attribute does not exist or
/// is not text.
std::vector<std::string> attribute_texts(hid_t object, const std::string& name);

/// Returns the first value of a text attribute; empty if the attribute does not exist or is not
/// text.
std::string attribute_text(hid_t object, const std::string& name);

/// Names of all attributes of an object, sorted. @throws StorageError
std::vector<std::string> attribute_names(hid_t object);

/// Writes a scalar attribute; replaces an attribute of the same name. @throws StorageError
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, Index value);
/// Writes a text as variable-length UTF-8, which h5py reads as `str`.
void write_attribute(hid_t object, const std::string& name, const std::string& value);

}  // namespace stencil::storage
