#pragma once

#include <nanobind/nanobind.h>

namespace stencil {

/// Adds a function for each family of masks to a Python module. Each function returns a tuple: the
/// taps as bytes of float64 values in row-major order, the number of rows, and the number of
/// columns. A one-dimensional mask has one row.
void add_mask_functions(nanobind::module_& module);

}  // namespace stencil
