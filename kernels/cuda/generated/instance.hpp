#pragma once

#include <string>

#include "kernels/cuda/generated/loaded_kernel.hpp"

namespace stencil::cuda {

/// Returns the instance of a kernel template of production/ for these template arguments and the
/// current GPU. When an instance is first requested, it is compiled or loaded from the user's
/// cache. It then stays loaded until the process ends. Several threads may call this function at
/// once.
///
/// @param file    file in production/: `tile_line.cu`
/// @param kernel  name with template arguments, from instance_name: `tile_line<float, 17>`
/// @throws NoInstance    the kernel cannot be compiled or loaded
/// @throws MachineError  the GPU cannot be queried
const LoadedKernel& instance(const std::string& file, const std::string& kernel);

/// Returns a template argument as it is written in C++.
inline std::string argument_text(const char* type) {
  return type;
}
inline std::string argument_text(bool value) {
  return value ? "true" : "false";
}
template <class Integer>
std::string argument_text(Integer value) {
  return std::to_string(value);
}

/// Returns the name of a template with its arguments; types are given as texts: `tensor_dense<4>`.
template <class First, class... More>
std::string template_name(const char* kernel, const First& first, const More&... more) {
  std::string name = std::string(kernel) + "<" + argument_text(first);
  ((name += ", " + argument_text(more)), ...);
  return name + ">";
}

/// Returns the name of a template whose first argument is the type of the elements.
template <class T, class... Values>
std::string instance_name(const char* kernel, const Values&... values) {
  return template_name(kernel, sizeof(T) == 4 ? "float" : "double", values...);
}

}  // namespace stencil::cuda
