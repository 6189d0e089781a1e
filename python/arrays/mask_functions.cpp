#include "python/arrays/mask_functions.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "kernels/families/mask_families.hpp"
#include "kernels/mask.hpp"

namespace nb = nanobind;

namespace stencil {
namespace {

using Pair = std::array<double, 2>;
using Whole = std::array<Index, 2>;

/// Returns the argument `axis` of a family of masks: x for a one-dimensional mask, otherwise none.
std::optional<Axis> along(bool is_line) {
  return is_line ? std::optional<Axis>(x_axis) : std::nullopt;
}

PerAxis<double> both(const Pair& values) {
  return {values[0], values[1]};
}

PerAxis<Index> both(const Whole& values) {
  return {values[0], values[1]};
}

nb::tuple taps_of(const Mask& mask) {
  std::vector<double> values = mask.taps.values;
  if (values.empty())  // a large outer product is stored by its factors only, see most_outer_taps
    for (const double column : mask.factors->column)
      for (const double row : mask.factors->row) values.push_back(column * row);
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  return nb::make_tuple(nb::bytes(bytes, values.size() * sizeof(double)), mask.taps.height,
                        mask.taps.width);
}

void add_round_families(nb::module_& module) {
  module.def("gaussian", [](const Pair& sigma, const std::array<int, 2>& order, double truncate,
                            const Whole& radius, const Pair& delta, bool is_line) {
    return taps_of(Mask::gaussian({.sigma = both(sigma),
                                   .order = {order[0], order[1]},
                                   .truncate = truncate,
                                   .radius = both(radius),
                                   .axis = along(is_line),
                                   .delta = both(delta)}));
  });
  module.def("box", [](const Whole& size, bool is_line) {
    return taps_of(Mask::box({.size = both(size), .axis = along(is_line)}));
  });
  module.def("binomial", [](const Whole& size, bool is_line) {
    return taps_of(Mask::binomial({.size = both(size), .axis = along(is_line)}));
  });
  module.def("disk", [](const Pair& radius, bool is_line) {
    return taps_of(Mask::disk({.radius = both(radius), .axis = along(is_line)}));
  });
  module.def("annulus", [](const Pair& radius, const Pair& inner, bool is_line) {
    return taps_of(
        Mask::annulus({.radius = both(radius), .inner = both(inner), .axis = along(is_line)}));
  });
  module.def("log", [](const Pair& sigma, double truncate, const Whole& radius, const Pair& delta,
                       bool is_line) {
    return taps_of(Mask::log({.sigma = both(sigma),
                              .truncate = truncate,
                              .radius = both(radius),
                              .axis = along(is_line),
                              .delta = both(delta)}));
  });
  module.def("dog", [](const Pair& sigma, double ratio, double truncate, bool is_line) {
    return taps_of(Mask::dog(
        {.sigma = both(sigma), .ratio = ratio, .truncate = truncate, .axis = along(is_line)}));
  });
  module.def("laplace", [](const Pair& delta, bool is_line) {
    return taps_of(Mask::laplace(along(is_line), both(delta)));
  });
  module.def(
      "sobel",
      [](bool is_y, std::optional<double> delta) {
        return taps_of(Mask::sobel(is_y ? y_axis : x_axis, delta));
      },
      nb::arg(), nb::arg().none());
  module.def(
      "prewitt",
      [](bool is_y, std::optional<double> delta) {
        return taps_of(Mask::prewitt(is_y ? y_axis : x_axis, delta));
      },
      nb::arg(), nb::arg().none());
}

void add_line_families(nb::module_& module) {
  module.def("lowpass", [](Index taps, double cutoff, double rate, const std::string& window) {
    return taps_of(
        Mask::lowpass({.taps = taps, .cutoff = cutoff, .sampling_rate = rate, .window = window}));
  });
  module.def("highpass", [](Index taps, double cutoff, double rate, const std::string& window) {
    return taps_of(
        Mask::highpass({.taps = taps, .cutoff = cutoff, .sampling_rate = rate, .window = window}));
  });
  module.def("bandpass",
             [](Index taps, const Pair& cutoff, double rate, const std::string& window) {
               return taps_of(Mask::bandpass(
                   {.taps = taps, .cutoff = cutoff, .sampling_rate = rate, .window = window}));
             });
  module.def("bandstop",
             [](Index taps, const Pair& cutoff, double rate, const std::string& window) {
               return taps_of(Mask::bandstop(
                   {.taps = taps, .cutoff = cutoff, .sampling_rate = rate, .window = window}));
             });
  module.def("matched", [](const std::vector<double>& pattern, const std::vector<double>& psd) {
    return taps_of(Mask::matched({.pattern = pattern, .psd = psd}));
  });
  module.def("savgol", [](Index size, int polyorder, int deriv, double delta) {
    return taps_of(
        Mask::savgol({.size = size, .polyorder = polyorder, .deriv = deriv, .delta = delta}));
  });
}

}  // namespace

void add_mask_functions(nb::module_& module) {
  add_round_families(module);
  add_line_families(module);
}

}  // namespace stencil
