// The extension module stencil._arrays, which the Python code of the package calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <string>

#include "drivers/pipeline/apply_on_gpu.hpp"
#include "framework/grid/error.hpp"
#include "include/stencil/version.hpp"
#include "python/arrays/array_argument.hpp"
#include "python/arrays/filter_call.hpp"
#include "python/arrays/mask_functions.hpp"

namespace nb = nanobind;

namespace stencil {
namespace {

/// Runs the handlers of signals that Python has received, at most every 50 ms. After Ctrl-C, throws
/// KeyboardInterrupt.
void look_for_signals() {
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point last{};
  const Clock::time_point now = Clock::now();
  if (now - last < std::chrono::milliseconds(50)) return;
  last = now;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// The arguments of a call that describe the mask and the boundary rules.
FilterCall call_of(const nb::tuple& taps, const std::vector<int>& axes,
                   const std::vector<Index>& origins, const std::vector<int>& rules, double value,
                   bool multiply_zeros, int extent, Index steps, std::optional<double> min_valid,
                   int method, int threads) {
  FilterCall call{.axes = axes,
                  .taps = {},
                  .extents = {},
                  .origins = origins,
                  .rules = {},
                  .value = value,
                  .multiply_zeros = multiply_zeros,
                  .extent = static_cast<Extent>(extent),
                  .steps = steps,
                  .method = static_cast<MethodRequest>(method),
                  .min_valid = min_valid,
                  .threads = threads};
  for (const nb::handle list : taps) {
    const ArrayArgument numbers(list.ptr(), false, "weights");
    call.taps.push_back(numbers.numbers("weights"));
    for (int axis = 0; axis < numbers.rank(); ++axis) call.extents.push_back(numbers.extent(axis));
  }
  for (const int rule : rules) call.rules.push_back(static_cast<BoundaryRule>(rule));
  return call;
}

void correlate(nb::handle input, nb::handle output, const nb::tuple& taps,
               const std::vector<int>& axes, const std::vector<Index>& origins,
               const std::vector<int>& rules, double value, bool multiply_zeros, int extent,
               Index steps, std::optional<double> min_valid, int method, int threads) {
  const ArrayArgument from(input.ptr(), false, "input"), to(output.ptr(), true, "output");
  const FilterCall call = call_of(taps, axes, origins, rules, value, multiply_zeros, extent, steps,
                                  min_valid, method, threads);
  const AnyOutput points = from.array(), results = to.array();
  const nb::gil_scoped_release no_gil;
  run_filter(call, {points.data, points.element, points.shape, points.strides}, results,
             look_for_signals);
}

/// Returns an array in the memory of a GPU.
/// @throws UsageError  the elements are not float32 or float64, or there are more than eight axes
AnyOutput array_of(const nb::ndarray<>& given, const char* name) {
  AnyOutput array;
  const int kind = given.device_type();
  if (kind != nb::device::cuda::value && kind != nb::device::cuda_managed::value)
    throw UsageError(std::string(name) + " does not lie in the memory of a GPU");
  const bool is_float = given.dtype() == nb::dtype<float>();
  if (!is_float && given.dtype() != nb::dtype<double>())
    throw UsageError(std::string(name) + " on a GPU has to be of float32 or float64");
  array.element = is_float ? Element::float32 : Element::float64;
  array.data = static_cast<std::byte*>(given.data());
  for (std::size_t axis = 0; axis < given.ndim(); ++axis) {
    array.shape.push_back(Index(given.shape(axis)));
    array.strides.push_back(Index(given.stride(axis)) * size_of(array.element));
  }
  return array;
}

/// @param input, output  capsules of DLPack, which are valid on the stream
/// @param stream         the number of a cudaStream_t
void correlate_on_gpu(const nb::ndarray<>& input, const nb::ndarray<>& output,
                      std::uintptr_t stream, const nb::tuple& taps, const std::vector<int>& axes,
                      const std::vector<Index>& origins, const std::vector<int>& rules,
                      double value, bool multiply_zeros, Index steps,
                      std::optional<double> min_valid, int method) {
  const AnyOutput from = array_of(input, "input"), to = array_of(output, "output");
  if (input.device_id() != output.device_id())
    throw UsageError("output lies on another GPU than input");
  const FilterCall call = call_of(taps, axes, origins, rules, value, multiply_zeros,
                                  int(Extent::same), steps, min_valid, method, 0);
  const nb::gil_scoped_release no_gil;
  run_filter_on_gpu(call, {from.data, from.element, from.shape, from.strides}, to,
                    input.device_id(), std::bit_cast<void*>(stream));
}

void wait_for_gpu_now(int device) {
  const nb::gil_scoped_release no_gil;
  wait_for_gpu(device);
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const WordsError& words) {
    PyErr_SetString(PyExc_ValueError, words.what());
  } catch (const MemoryError& memory) {
    PyErr_SetString(PyExc_MemoryError, memory.what());
  } catch (const Error& other) {
    PyErr_SetString(PyExc_RuntimeError, other.what());
  }
}

}  // namespace
}  // namespace stencil

NB_MODULE(_arrays, module) {
  using namespace stencil;
  nb::register_exception_translator(translate);
  module.def("correlate", correlate);
  module.def("correlate_on_gpu", correlate_on_gpu);
  module.def("wait_for_gpu", wait_for_gpu_now);
  module.attr("has_gpu_kernels") = has_gpu_kernels();
  module.def("compute_alone_after_fork", compute_alone_after_fork);
  module.attr("version") = STENCIL_VERSION;
  nb::module_ masks = module.def_submodule("masks");
  add_mask_functions(masks);
}
