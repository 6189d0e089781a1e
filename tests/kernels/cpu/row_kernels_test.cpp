// Rows that are streamed past the caches, of every length and alignment, have the same values as
// rows that are stored normally.

#include "kernels/cpu/row_kernels.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "kernels/cpu/vector_extension.hpp"
#include "tests/kernels/conditions.hpp"

namespace stencil {
namespace {

using namespace cpu;

constexpr Index rows = 3, width = 5, height = 5, room = 512;

template <class T>
class RowStreams : public ::testing::Test {
 protected:
  RowStreams() {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (T& value : inputs_) value = T(normal(random));
    for (T& tap : taps_) tap = T(normal(random));
    for (Index r = 0; r < rows + height - 1; ++r) input_rows_[r] = inputs_.data() + r * room;
  }

  /// @param sum  writes `rows` rows of n results; the rows are `room` elements apart, and are
  /// streamed or stored normally
  void expect_same(const std::string& name,
                   const std::function<void(T* target, Index n, bool stream)>& sum) {
    for (Index n = 1; n < 200; ++n)
      for (Index shift = 0; shift < 64 / Index(sizeof(T)); shift += 3) {
        std::vector<T> stored(room * (rows + 2), T(77)), streamed = stored;
        sum(aligned(stored) + shift, n, false);
        sum(aligned(streamed) + shift, n, true);
        for (Index k = 0; k < room * rows; ++k)
          ASSERT_EQ(aligned(stored)[k], aligned(streamed)[k])
              << name << ", " << n << " results, " << shift << " beside a line, at " << k;
      }
  }

  static T* aligned(std::vector<T>& values) {
    const auto address = reinterpret_cast<std::uintptr_t>(values.data());
    return values.data() + Index((-address) % 64 / sizeof(T));
  }

  std::vector<T> inputs_ = std::vector<T>(room * (rows + height)), taps_ = std::vector<T>(25);
  std::array<const T*, rows + height - 1> input_rows_{};
};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(RowStreams, Types);

TYPED_TEST(RowStreams, AreTheBitsOfStoredRows) {
  using T = TypeParam;
  const T* taps = this->taps_.data();
  const T* const* in = this->input_rows_.data();
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    if (!testing::available(extension)) continue;
    const testing::Conditions conditions(extension, 1);
    const RowKernels<T>& kernels = row_kernels<T>(vector_extension());
    const std::string name = extension;
    for (const Index w : {Index{3}, width, Index{25}})
      this->expect_same(name + " sum_lines", [&](T* target, Index n, bool stream) {
        kernels.sum_lines({in, rows, taps, w, target, room, n, stream, 0});
      });
    this->expect_same(name + " sum_columns", [&](T* target, Index n, bool stream) {
      kernels.sum_columns({in, rows, taps, height, false, target, room, n, stream, nullptr});
    });
    for (const bool skip_zeros : {false, true})
      this->expect_same(name + " sum_rows", [&](T* target, Index n, bool stream) {
        kernels.sum_rows({in, rows, taps, 1, height, width, skip_zeros, target, room, n, stream});
      });
    this->expect_same(name + " sum_row", [&](T* target, Index n, bool stream) {
      const Tap<T> list[] = {{0, taps[0]}, {room, taps[1]}, {3, taps[2]}};
      for (Index r = 0; r < rows; ++r)
        kernels.sum_row(list, 3, in[r], 1, stream, target + r * room, n);
    });
    this->expect_same(name + " rescale_row", [&](T* target, Index n, bool stream) {
      for (Index r = 0; r < rows; ++r)
        kernels.rescale_row(in[r], in[r + 1], nullptr, T(2), T(0), stream, target + r * room, n);
    });
    this->expect_same(name + " sweep_rows", [&](T* target, Index n, bool stream) {
      std::vector<T> state(sweep_state(height, n) + 64);
      kernels.sweep_rows({in, rows + height - 1, taps, height, width, false, true, state.data(),
                          target, height - 1, room, n, stream, 0});
    });
    for (const bool plus : {false, true})
      this->expect_same(name + " step_rows", [&](T* target, Index n, bool stream) {
        T* const targets[] = {target, target + room, target + 2 * room};
        kernels.step_rows(in, taps, plus, int(rows), stream ? StepGoal::stream : StepGoal::store,
                          targets, n);
      });
    kernels.finish_streaming();
  }
}

}  // namespace
}  // namespace stencil
