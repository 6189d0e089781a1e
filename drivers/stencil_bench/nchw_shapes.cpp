#include "drivers/stencil_bench/nchw_shapes.hpp"

namespace stencil::bench {

std::vector<NchwShape> nchw_shapes() {
  return {
      {"6x6 valid, 768x512", 1, 6, 6, 1, 6, 6, 768, 512, 0, 1},
      {"3x3, 128x128", 32, 64, 64, 1, 3, 3, 128, 128, 1, 1},
      {"3x3, 28x28", 32, 128, 128, 1, 3, 3, 28, 28, 1, 1},
      {"1x1, 128x128", 32, 64, 64, 1, 1, 1, 128, 128, 0, 1},
      {"5x5, 256x256", 16, 16, 32, 1, 5, 5, 256, 256, 2, 1},
      {"7x7 stride 2, 224x224", 32, 3, 64, 1, 7, 7, 224, 224, 3, 2},
      {"3x3 stride 2, 128x128", 32, 64, 128, 1, 3, 3, 128, 128, 1, 2},
      {"3x3 in 4 groups", 32, 64, 64, 4, 3, 3, 128, 128, 1, 1},
      {"depthwise 3x3, 256x256", 32, 64, 64, 64, 3, 3, 256, 256, 1, 1},
      {"depthwise 5x5, 256x256", 32, 64, 64, 64, 5, 5, 256, 256, 2, 1},
      {"depthwise 7x7, 56x56", 64, 256, 256, 256, 7, 7, 56, 56, 3, 1},
      {"depthwise 3x3 stride 2", 32, 64, 64, 64, 3, 3, 256, 256, 1, 2},
  };
}

std::vector<float> random_numbers(Index count, unsigned seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < count; ++k) {
    std::uint64_t h = (static_cast<std::uint64_t>(k) << 8 | seed) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    numbers[static_cast<std::size_t>(k)] = static_cast<float>(h >> 40) / float(1 << 24) - 0.5f;
  }
  return numbers;
}

}  // namespace stencil::bench
