#pragma once

#include <nanobind/nanobind.h>

namespace stencil {

/// Adds a function for each family of masks to a module of Python. Each returns the taps: a tuple
/// of bytes of float64 values, the number of rows and the number of columns; a mask of one axis has
/// one row.
void add_mask_functions(nanobind::module_& module);

}  // namespace stencil
