#pragma once

#include <hdf5.h>

namespace stencil::storage {

/// Whether readers other than HDF5 itself, such as h5py, know what to make of a type: numbers as
/// processors have them, text, opaque bytes, and what is composed of these under names of UTF-8.
bool is_readable(hid_t type);

}  // namespace stencil::storage
