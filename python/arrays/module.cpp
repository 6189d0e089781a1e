// The extension module stencil._arrays, which the Python code of the package calls.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "framework/grid/error.hpp"
#include "include/stencil/version.hpp"
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

void correlate(nb::handle input, nb::handle output, const nb::tuple& taps,
               const std::vector<int>& axes, const std::vector<Index>& origins,
               const std::vector<int>& rules, double value, bool multiply_zeros, int extent,
               Index steps, std::optional<double> min_valid, int threads) {
  const ArrayArgument from(input.ptr(), false, "input"), to(output.ptr(), true, "output");
  FilterCall call{.axes = axes,
                  .taps = {},
                  .extents = {},
                  .origins = origins,
                  .rules = {},
                  .value = value,
                  .multiply_zeros = multiply_zeros,
                  .extent = static_cast<Extent>(extent),
                  .steps = steps,
                  .min_valid = min_valid,
                  .threads = threads};
  for (const nb::handle list : taps) {
    const ArrayArgument numbers(list.ptr(), false, "weights");
    call.taps.push_back(numbers.numbers("weights"));
    for (int axis = 0; axis < numbers.rank(); ++axis) call.extents.push_back(numbers.extent(axis));
  }
  for (const int rule : rules) call.rules.push_back(static_cast<BoundaryRule>(rule));
  const nb::gil_scoped_release no_gil;
  run_filter(call, from, to, look_for_signals);
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
  module.def("compute_alone_after_fork", compute_alone_after_fork);
  module.attr("version") = STENCIL_VERSION;
  nb::module_ masks = module.def_submodule("masks");
  add_mask_functions(masks);
}
