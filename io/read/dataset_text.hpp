#pragma once

#include <hdf5.h>

#include <string>

namespace stencil::storage {

/// Returns the text of a dataset that contains exactly one text; empty for other datasets and if
/// the text cannot be read.
std::string dataset_text(hid_t dataset);

}  // namespace stencil::storage
