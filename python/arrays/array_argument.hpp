#pragma once

#include <Python.h>

#include <vector>

#include "drivers/pipeline/array_view.hpp"

namespace stencil {

/// The memory of an array of Python, by the buffer protocol, as long as this object lives.
class ArrayArgument {
 public:
  /// @param array  any object with the buffer protocol, such as a NumPy array
  /// @param name   the name of the argument, for messages
  /// @throws UsageError  an array that may not be changed and is an output; elements that are not
  ///                     float32, float64 or integers of 8 to 64 bits in the order of bytes of
  ///                     this machine; no array at all
  ArrayArgument(PyObject* array, bool is_output, const char* name);
  ~ArrayArgument();
  ArrayArgument(const ArrayArgument&) = delete;
  ArrayArgument& operator=(const ArrayArgument&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(view_.buf); }
  Element element() const { return element_; }
  int rank() const { return view_.ndim; }
  Index extent(int axis) const { return view_.shape[axis]; }
  Index stride(int axis) const { return view_.strides[axis]; }  ///< in bytes

  /// The points of a contiguous array of float64, in row-major order.
  /// @throws UsageError  the array is not contiguous or not of float64
  std::vector<double> numbers(const char* name) const;

 private:
  Py_buffer view_{};
  Element element_ = Element::float64;
};

}  // namespace stencil
