#include "kernels/cpu/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil::cpu {
namespace {

TEST(Scratch, KeepsThePartsOfThreadsApart) {
  constexpr Index elements = 1003;
  const Scratch<double> memory(3, elements);
  ASSERT_EQ(memory.threads(), 3);
  for (int thread = 0; thread < 3; ++thread) {
    double* part = memory.of_thread(thread);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part) % 64, 0u);
    if (thread > 0) {
      EXPECT_GE((part - memory.of_thread(thread - 1) - elements) * Index{sizeof(double)},
                Scratch<double>::apart);
    }
    std::fill_n(part, elements, 1.0 + thread);
  }
  for (int thread = 0; thread < 3; ++thread) {
    const double* part = memory.of_thread(thread);
    EXPECT_EQ(std::count(part, part + elements, 1.0 + thread), elements);
  }
}

TEST(Scratch, NamesTheBytesThatAreNotToBeHad) {
  try {
    const Scratch<float> memory(2, Index{1} << 58);
    FAIL() << "2^61 bytes";
  } catch (const MemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("bytes of intermediate rows"), std::string::npos);
  }
}

}  // namespace
}  // namespace stencil::cpu
