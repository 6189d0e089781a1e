#include "kernels/method/way_work.hpp"

#include <type_traits>

#include "kernels/method/method_cost_table.hpp"

namespace stencil {

static_assert(std::is_same_v<CostTable, std::array<std::array<double, WayWork::kinds>, ways>>);

double cost_in_taps(const WayWork& work, Index element) {
  const auto& figures = (element == 8 ? float64_costs : float32_costs)[std::size_t(work.way)];
  double taps = 0;
  for (int k = 0; k < WayWork::kinds; ++k) taps += work.amounts[k] * figures[k];
  return taps / work.outputs;
}

std::string to_string(Way way) {
  constexpr std::array<const char*, ways> names{
      "line",        "line strided", "column",        "column strided", "dense",
      "dense zeros", "dense rows",   "dense strided", "separable",      "separable strided",
      "sum",         "sum rows",     "fft line",      "fft column",     "fft tiles"};
  return names[std::size_t(way)];
}

}  // namespace stencil
