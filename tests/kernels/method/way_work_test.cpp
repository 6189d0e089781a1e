#include "kernels/method/way_work.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "kernels/method/gpu_cost_table.hpp"
#include "kernels/method/method_cost_table.hpp"

namespace stencil {
namespace {

TEST(WayWork, EveryWayHasFiguresAndNoneIsBelowZero) {
  for (const CostTable& table : {float32_costs, float64_costs})
    for (int way = 0; way < ways; ++way) {
      EXPECT_GT(std::accumulate(table[way].begin(), table[way].end(), 0.0), 1)
          << to_string(Way(way));
      for (const double figure : table[way]) EXPECT_GE(figure, 0) << to_string(Way(way));
    }
  for (const GpuCostTable& table : {gpu_float32_costs, gpu_float64_costs})
    for (int way = 0; way < gpu_ways; ++way) {
      const std::string name = to_string(Way(ways + way));
      EXPECT_EQ(name.substr(0, 4), "gpu ");
      EXPECT_GT(std::accumulate(table[way].begin(), table[way].end(), 0.0), 1) << name;
      for (const double figure : table[way]) EXPECT_GE(figure, 0) << name;
    }
}

}  // namespace
}  // namespace stencil
