#include "python/arrays/array_argument.hpp"

#include <fmt/core.h>

#include <cstring>
#include <optional>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the element type for a format character of Python's module struct.
std::optional<Element> element_for(const Py_buffer& view) {
  const char* format = view.format == nullptr ? "B" : view.format;
  if (*format == '=' || *format == '@' || *format == '<')
    ++format;  // little-endian, like this machine
  if (std::strlen(format) != 1) return std::nullopt;
  if (*format == 'f') return Element::float32;
  if (*format == 'd') return Element::float64;
  const bool is_signed = std::strchr("bhilqn", *format) != nullptr;
  if (!is_signed && std::strchr("BHILQN?", *format) == nullptr) return std::nullopt;
  return integer_element(static_cast<std::size_t>(view.itemsize), is_signed);
}

}  // namespace

ArrayArgument::ArrayArgument(PyObject* array, bool is_output, const char* name) {
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (is_output ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(array, &view_, flags) != 0) {
    PyErr_Clear();
    throw UsageError(fmt::format("{} has to be an array in the memory of the host{}", name,
                                 is_output ? " that may be changed" : ""));
  }
  const std::optional<Element> element = element_for(view_);
  if (!element) {
    const std::string format = view_.format;
    PyBuffer_Release(&view_);
    throw UsageError(fmt::format(
        "{} has elements of the format '{}': use float32, float64 or integers", name, format));
  }
  element_ = *element;
}

ArrayArgument::~ArrayArgument() {
  PyBuffer_Release(&view_);
}

AnyOutput ArrayArgument::array() const {
  AnyOutput array;
  array.data = static_cast<std::byte*>(view_.buf);
  array.element = element_;
  for (int axis = 0; axis < view_.ndim; ++axis) {
    array.shape.push_back(view_.shape[axis]);
    array.strides.push_back(view_.strides[axis]);
  }
  return array;
}

std::vector<double> ArrayArgument::numbers(const char* name) const {
  if (element_ != Element::float64 || !PyBuffer_IsContiguous(&view_, 'C'))
    throw UsageError(fmt::format("{} has to be a contiguous array of float64", name));
  const auto* first = static_cast<const double*>(view_.buf);
  return {first, first + view_.len / Py_ssize_t(sizeof(double))};
}

}  // namespace stencil
