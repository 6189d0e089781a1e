// NaN and Inf affect the same outputs as in SciPy.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;

template <class T>
class ConvolveReach : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveReach, Types);

constexpr Point extent{1, 12, 40};

/// Checks that one point (py, px) that is NaN or infinite affects exactly the outputs whose mask
/// has a tap at this point.
template <class T>
void check_reach(const Mask& mask, Method method, double bad, Index py, Index px) {
  const auto stencil = make_stencil<T>(mask, method, {1, 1}, {});
  Grid<T> source(testing::inputs_for(stencil, extent), T(0));
  source.set([&](Index, Index y, Index x) { return y == py && x == px ? bad : 1.0; });
  Grid<T> target(extent, T(0));
  convolve_cpu<T>(stencil, source.read(), target.view());
  for (Index y = 0; y < extent[1]; ++y) {
    for (Index x = 0; x < extent[2]; ++x) {
      const Index j = py - y, i = px - x;
      const bool inside = j >= 0 && j < stencil.height && i >= 0 && i < stencil.width;
      const double tap = inside ? mask.taps.at(j, i) : 0;
      const bool reached = inside && (tap != 0 || mask.multiply_zeros);
      const double value = target.read().at(0, y, x);
      ASSERT_EQ(!std::isfinite(value), reached) << y << " " << x << " tap " << tap;
      // Inf times a tap of 0 is NaN; Inf times another tap is Inf with the sign of the product.
      if (!reached) continue;
      const double expected = bad * tap;
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected) << y << " " << x;
    }
  }
}

template <class T>
void check_everywhere(const Mask& mask, Method method) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    for (const Index py : {0, 5, 11}) {
      for (const Index px : {0, 17, 39}) check_reach<T>(mask, method, bad, py, px);
    }
  }
}

TYPED_TEST(ConvolveReach, MasksOfOneAxisMultiplyZeros) {
  check_everywhere<TypeParam>(Mask::line({1, 0, -2, 3}), Method::direct);
  check_everywhere<TypeParam>(Mask::line({0, 2, 0, 0, 1}, y_axis), Method::direct);
}

TYPED_TEST(ConvolveReach, MasksGivenAsTapsSkipZeros) {
  check_everywhere<TypeParam>(Mask::grid({0, 1, 0, 1, -4, 1, 0, 1, 0}, 3, 3), Method::direct);
  check_everywhere<TypeParam>(Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3), Method::direct);
}

TYPED_TEST(ConvolveReach, SeparableSkipsZerosAsTheMaskDoes) {
  Mask mask = Mask::outer({1, 0, 2, 1}, {-1, 0, 3});
  mask.multiply_zeros = false;
  check_everywhere<TypeParam>(mask, Method::separable);
  check_everywhere<TypeParam>(mask, Method::direct);
}

/// Two passes multiply by zeros. NaN affects all outputs whose mask covers it. Inf becomes NaN
/// under a zero of the row and under a zero of the column, as in the direct sum.
TYPED_TEST(ConvolveReach, SeparableMultipliesZeros) {
  const Mask mask = Mask::outer({1, 0, 2, 1}, {-1, 0, 3});
  check_everywhere<TypeParam>(mask, Method::separable);
  check_everywhere<TypeParam>(mask, Method::direct);
}

/// NaN and Inf affect the same outputs of a sum of several terms as of the direct sum. Inf may
/// become NaN, because two terms that add up to a tap may have opposite signs.
TYPED_TEST(ConvolveReach, SumsOfSeparableMasksReachAsFar) {
  using T = TypeParam;
  // one term has a factor of 0 where the other has none
  Mask mask = Mask::grid({3, 1, 2, 4, -3, 1, 1, 7, 3}, 3, 3);
  mask.factors = Factors{{1, 0, 2, 1, 1, -1}, {-1, 4, 1, 4, -3, 1}, 2};
  for (Index n = 0; n < 9; ++n) {
    const double tap = mask.factors->column[n / 3] * mask.factors->row[n % 3] +
                       mask.factors->column[3 + n / 3] * mask.factors->row[3 + n % 3];
    mask.taps.values[n] = tap;
    ASSERT_NE(tap, 0);
  }
  const auto stencil = make_stencil<T>(mask, Method::separable, {1, 1}, {});
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    for (const Index py : {0, 5, 13}) {
      for (const Index px : {0, 17, 41}) {
        Grid<T> source(testing::inputs_for(stencil, extent), T(0));
        source.set([&](Index, Index y, Index x) { return y == py && x == px ? bad : 1.0; });
        Grid<T> target(extent, T(0));
        convolve_cpu<T>(stencil, source.read(), target.view());
        for (Index y = 0; y < extent[1]; ++y)
          for (Index x = 0; x < extent[2]; ++x) {
            const bool reached = py >= y && py < y + 3 && px >= x && px < x + 3;
            ASSERT_EQ(!std::isfinite(target.read().at(0, y, x)), reached) << y << " " << x;
          }
      }
    }
  }
}

/// Memory between two pages that cannot be accessed.
class Fenced {
 public:
  explicit Fenced(std::size_t bytes)
      : page_(std::size_t(sysconf(_SC_PAGESIZE))), inside_((bytes + page_ - 1) / page_ * page_) {
    memory_ = static_cast<char*>(mmap(nullptr, inside_ + 2 * page_, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_, page_, PROT_NONE);
    mprotect(memory_ + page_ + inside_, page_, PROT_NONE);
  }
  ~Fenced() { munmap(memory_, inside_ + 2 * page_); }

  char* begin() const { return memory_ + page_; }
  char* end() const { return begin() + inside_; }

 private:
  std::size_t page_, inside_;
  char* memory_;
};

/// Computes with inputs that begin or end at a page that cannot be accessed, so that a read outside
/// of the inputs crashes.
template <class T>
void check_reads(const Mask& mask, Method method, const Point& outputs) {
  const auto stencil = make_stencil<T>(mask, method, {1, 1}, {});
  const Point inputs = testing::inputs_for(stencil, outputs);
  const Index count = inputs[0] * inputs[1] * inputs[2];
  const Fenced memory(std::size_t(count) * sizeof(T));
  for (T* const first :
       {reinterpret_cast<T*>(memory.begin()), reinterpret_cast<T*>(memory.end()) - count}) {
    std::fill(first, first + count, T(1));
    Grid<T> target(outputs, T(0));
    convolve_cpu<T>(stencil, {first, inputs, inputs[1] * inputs[2], inputs[2]}, target.view());
    double sum = 0;
    for (const double tap : mask.taps.values) sum += tap;
    for (const T value : target.points_of()) ASSERT_EQ(double(value), sum);
  }
}

TYPED_TEST(ConvolveReach, NothingOutsideOfTheInputsIsRead) {
  const auto ones = [](Index n) { return std::vector<double>(std::size_t(n), 1.0); };
  for (const Index w : {2, 5, 16, 17, 18, 31, 32, 33, 65, 96, 97, 200}) {
    for (const Index n : {1, 9, 16, 40, 128, 129, 143, 144, 161, 600, 9000}) {
      check_reads<TypeParam>(Mask::line(ones(w)), Method::direct, {1, 1, n});
    }
    check_reads<TypeParam>(Mask::line(ones(w)), Method::direct, {1, 9, 150});
  }
  for (const Index h : {2, 3, 5, 9, 14}) {
    for (const Index n : {1, 16, 33, 150}) {
      const Mask mask = Mask::outer(ones(h), ones(3));
      check_reads<TypeParam>(mask, Method::direct, {1, 4 * h + 30, n});
      check_reads<TypeParam>(mask, Method::separable, {1, 4 * h + 30, n});
      const Mask sum = testing::drawn_sum(h, 3, 2, [] { return 1.0; });
      check_reads<TypeParam>(sum, Method::separable, {1, 4 * h + 30, n});
      check_reads<TypeParam>(sum, Method::separable, {1, h, n});
    }
  }
}

/// In renormalized sums, missing points (NaN) do not affect outputs, but Inf, which is a valid
/// point, does.
TYPED_TEST(ConvolveReach, RenormalizedSumsLeaveNanOutAndKeepInf) {
  using T = TypeParam;
  for (const Method method : {Method::direct, Method::separable}) {
    const Mask mask = Mask::outer({1, 1, 1}, {1, 1, 1});
    const auto stencil = make_stencil<T>(mask, method, {1, 1}, 0.5);
    Grid<T> source(testing::inputs_for(stencil, extent), T(0));
    source.set([](Index, Index y, Index x) {
      if (y == 4 && x == 6) return std::nan("");
      return y == 8 && x == 30 ? std::numeric_limits<double>::infinity() : 1.0;
    });
    Grid<T> target(extent, T(0));
    convolve_cpu<T>(stencil, source.read(), target.view());
    for (Index y = 0; y < extent[1]; ++y) {
      for (Index x = 0; x < extent[2]; ++x) {
        const bool infinite = y >= 6 && y <= 8 && x >= 28 && x <= 30;
        const double value = target.read().at(0, y, x);
        ASSERT_TRUE(infinite ? value == std::numeric_limits<double>::infinity()
                             : std::abs(value - 9) < 1e-5)
            << y << " " << x << " " << value;
      }
    }
  }
}

}  // namespace
}  // namespace stencil
