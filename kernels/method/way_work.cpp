#include "kernels/method/way_work.hpp"

#include <type_traits>

#include "kernels/method/gpu_cost_table.hpp"
#include "kernels/method/method_cost_table.hpp"

namespace stencil {

static_assert(std::is_same_v<CostTable, std::array<std::array<double, WayWork::kinds>, ways>>);
static_assert(
    std::is_same_v<GpuCostTable, std::array<std::array<double, WayWork::kinds>, gpu_ways>>);

double cost_in_taps(const WayWork& work, Index element) {
  const auto way = std::size_t(work.way);
  const auto& figures = work.way < first_gpu_way
                            ? (element == 8 ? float64_costs : float32_costs)[way]
                            : (element == 8 ? gpu_float64_costs : gpu_float32_costs)[way - ways];
  double taps = 0;
  for (int k = 0; k < WayWork::kinds; ++k) taps += work.amounts[k] * figures[k];
  return taps / work.outputs;
}

std::string to_string(Way way) {
  constexpr std::array<const char*, ways + gpu_ways> names{"line",
                                                           "line strided",
                                                           "column",
                                                           "column strided",
                                                           "dense",
                                                           "dense zeros",
                                                           "dense rows",
                                                           "dense strided",
                                                           "separable",
                                                           "separable strided",
                                                           "sum",
                                                           "sum rows",
                                                           "fft line",
                                                           "fft column",
                                                           "fft tiles",
                                                           "gpu line",
                                                           "gpu line long",
                                                           "gpu line strided",
                                                           "gpu column",
                                                           "gpu column long",
                                                           "gpu column strided",
                                                           "gpu dense",
                                                           "gpu dense large",
                                                           "gpu dense strided",
                                                           "gpu sparse",
                                                           "gpu sparse large",
                                                           "gpu listed",
                                                           "gpu separable",
                                                           "gpu separable large",
                                                           "gpu separable strided",
                                                           "gpu sum",
                                                           "gpu valid",
                                                           "gpu separable valid",
                                                           "gpu steps",
                                                           "gpu steps separable",
                                                           "gpu fft line",
                                                           "gpu fft line in memory",
                                                           "gpu fft column",
                                                           "gpu fft column in memory",
                                                           "gpu fft tiles",
                                                           "gpu fft tiles in memory"};
  return names[std::size_t(way)];
}

}  // namespace stencil
