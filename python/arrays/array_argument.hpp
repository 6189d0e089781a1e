#pragma once

#include <Python.h>

#include <vector>

#include "drivers/pipeline/array_view.hpp"

namespace stencil {

/// The memory of a Python array, accessed by the buffer protocol during the lifetime of this
/// object.
class ArrayArgument {
 public:
  /// @param array  any object with the buffer protocol, such as a NumPy array
  /// @param name   the name of the argument, for messages
  /// @throws UsageError  the object has no buffer protocol; the array is an output and read-only;
  ///                     or its elements are not float32, float64 or integers of 8 to 64 bits in
  ///                     native byte order
  ArrayArgument(PyObject* array, bool is_output, const char* name);
  ~ArrayArgument();
  ArrayArgument(const ArrayArgument&) = delete;
  ArrayArgument& operator=(const ArrayArgument&) = delete;

  int rank() const { return view_.ndim; }
  Index extent(int axis) const { return view_.shape[axis]; }
  /// Returns the array; the memory of an input must not be changed through it.
  /// @throws UsageError  the array has more than eight axes
  AnyOutput array() const;

  /// Returns the elements of a contiguous float64 array in row-major order.
  /// @throws UsageError  the array is not contiguous or not of float64
  std::vector<double> numbers(const char* name) const;

 private:
  Py_buffer view_{};
  Element element_ = Element::float64;
};

}  // namespace stencil
