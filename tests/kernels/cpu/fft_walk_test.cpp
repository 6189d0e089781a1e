// Method fft: the transform is compared with the definition, and results with the reference;
// results have the same bits for every window, vector extension and number of threads. Pairs of
// blocks with results that are not finite are tested, too.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/cpu/fft_pair.hpp"
#include "kernels/cpu/fft_walk.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/work_cut.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/cpu/fft_outputs.hpp"
#include "tests/kernels/grid_data.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;
using testing::outputs;
using testing::outputs_in_windows;

std::vector<double> normal_taps(Index count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> taps(count);
  for (double& tap : taps) tap = normal(random);
  return taps;
}

template <class T>
Grid<T> normal_points(const Point& extent, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Grid<T> grid(extent, std::numeric_limits<T>::quiet_NaN());
  return grid.set([&](Index, Index, Index) { return normal(random); });
}

/// The mask, the blocks and the outputs of one call.
struct Case {
  Index width, points, outputs;
  bool along_y = false;
  Index stride = 1;
  Index batch = 1, across = 1;

  Point extent() const {
    return along_y ? Point{batch, outputs, across} : Point{batch, across, outputs};
  }
  int axis() const { return along_y ? y_axis : x_axis; }
  std::string text() const {
    return fmt::format("{} taps, {} points, {} outputs, stride {}, {} x {} lines along {}", width,
                       points, outputs, stride, batch, across, along_y ? "y" : "x");
  }
  template <class T>
  Stencil<T> stencil(Method method = Method::fft) const {
    const Mask mask = Mask::line(normal_taps(width), along_y ? y_axis : x_axis);
    const std::array<Index, 2> strides =
        along_y ? std::array<Index, 2>{stride, 1} : std::array<Index, 2>{1, stride};
    return make_stencil<T>(mask, method, strides, {}, {points, width});
  }
};

std::vector<Case> cases() {
  return {{1, 256, 1},
          {2, 256, 500},
          {130, 256, 3 * 2 * 112 + 5},
          {241, 256, 100, false, 1, 2, 3},
          {257, 512, 7 * 512 + 3},
          {64, 1024, 20000, false, 3},
          {300, 512, 77},
          {33, 256, 1000, false, 7, 3, 5},
          {100, 2048, 9000, false, 1, 1, 2},
          {600, 4096, 7300, false, 1, 1, 3},
          {900, 8192, 15000},
          {1100, 32768, 40000},
          {31, 256, 2000, true, 1, 2, 37},
          {130, 512, 1500, true, 2, 1, 19},
          {257, 1024, 700, true, 1, 3, 5},
          {3, 256, 30, true, 1, 1, 100},
          // with even strides, two pairs share one inverse transform; some pairs remain at the end
          {130, 512, 1300, false, 2, 1, 5},
          {300, 1024, 800, false, 4, 2, 7},
          {65, 256, 300, false, 8, 3, 11},
          {700, 4096, 400, false, 16, 1, 3},
          {90, 512, 700, false, 6, 1, 9},
          {100, 32768, 10000, false, 8},
          {130, 512, 300, true, 4, 2, 37},
          {70, 256, 200, true, 8, 1, 70},
          {100, 131072, 40000, false, 2},  // too long for two pairs to be transformed back together
          {257, 1024, 300, true, 12, 1, 19}};
}

template <class T>
class Fft : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Fft, Types);

/// The sum in long double, because the rounding errors of the reference are as large as those of a
/// transform.
template <class T>
long double exact(const Case& c, const Stencil<T>& stencil, const Grid<T>& source, Index line,
                  Index o) {
  long double sum = 0;
  for (Index k = 0; k < c.width; ++k) {
    const Index b = line / c.across, across = line % c.across, along = o * c.stride + k;
    const T point =
        c.along_y ? source.read().at(b, along, across) : source.read().at(b, across, along);
    sum += (long double)(stencil.taps[k]) * point;
  }
  return sum;
}

/// Square root of the sum of squares.
template <class T>
double norm(const std::vector<T>& taps) {
  double energy = 0;
  for (const T tap : taps) energy += double(tap) * double(tap);
  return std::sqrt(energy);
}

/// The bound is far below the (2w + 4) eps of a direct sum, so that an error of one twiddle factor
/// is detected.
TYPED_TEST(Fft, RoundsNoMoreThanAFewTimes) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 2);
    Grid<T> target(c.extent(), T(-12345.5));
    convolve_cpu<T>(stencil, source.read(), target.view());
    const double bound =
        std::min(10 * double(std::numeric_limits<T>::epsilon()) * norm(stencil.taps),
                 testing::error_bound<T>(stencil, source.read()));
    for (Index line = 0; line < c.batch * c.across; ++line)
      for (Index o = 0; o < c.outputs; ++o) {
        const Index b = line / c.across, across = line % c.across;
        const T found = c.along_y ? target.read().at(b, o, across) : target.read().at(b, across, o);
        ASSERT_LE(std::abs(found - exact(c, stencil, source, line, o)), bound)
            << c.text() << ", line " << line << " at " << o;
      }
  }
}

/// The results agree with the reference within the promised bound.
TYPED_TEST(Fft, AgreesWithTheReference) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 2);
    const auto both = testing::compute_both(stencil, source, c.extent());
    ASSERT_TRUE(both.guards_untouched) << c.text();
    const double bound = testing::error_bound<T>(stencil, source.read());
    for (std::size_t k = 0; k < both.cpu.size(); ++k)
      ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound) << c.text() << " at " << k;
  }
}

TYPED_TEST(Fft, AnyWindowGivesTheBitsOfTheWhole) {
  using T = TypeParam;
  int turn = sizeof(T) == 8;
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 3);
    const auto whole = outputs(stencil, source, c.extent());
    for (const Index longest : testing::sampled(std::vector<Index>{40, 3000}, turn++ % 2))
      expect_same_bits(whole, outputs_in_windows(stencil, source, c.extent(), longest), c.text());
  }
}

TYPED_TEST(Fft, EveryExtensionAndThreadCountGivesTheSameBits) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 4);
    if (c.outputs > 1000) source.view().at(0, 0, 0) = std::numeric_limits<T>::infinity();
    std::vector<T> first;
    {
      const Conditions conditions("baseline", 1);
      first = outputs(stencil, source, c.extent());
    }
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      for (const int threads : testing::sampled(std::vector<int>{1, 2, 5}, 1)) {
        const Conditions conditions(extension, threads);
        expect_same_bits(first, outputs(stencil, source, c.extent()), c.text() + " " + extension);
      }
    }
  }
}

/// Transforms that are too long for the caches, whose points and results are moved differently.
TYPED_TEST(Fft, LongTransformsAreTheSame) {
  using T = TypeParam;
  const Case c{3000, (8 << 20) / (2 * sizeof(T)), 2500000};
  const auto stencil = c.stencil<T>();
  const Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 12);
  const Index tile = cpu::fft_tile(stencil.fft->blocks.points, 1) * sizeof(T);
  ASSERT_GE(tile, cpu::least_fft_in_memory);
  std::vector<T> first;
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    if (!available(extension)) continue;
    const Conditions conditions(extension, 2);
    for (const auto way : {cpu::LongTransforms::by_caches, cpu::LongTransforms::past_caches}) {
      // the address is aligned to a cache line, as for results that are streamed past the caches
      std::vector<T> found(c.outputs + 64, T(-12345.5));
      T* const at =
          found.data() + (64 - reinterpret_cast<std::uintptr_t>(found.data()) % 64) / sizeof(T);
      const FieldView<T> target{at, c.extent(), c.outputs, c.outputs};
      cpu::walk_fft<T>(stencil, cpu::row_kernels<T>(cpu::vector_extension()), source.read(), target,
                       {}, way);
      const std::vector<T> sums(at, at + c.outputs);
      EXPECT_EQ(std::count(found.begin(), found.end(), T(-12345.5)), 64);
      if (first.empty()) first = sums;
      expect_same_bits(first, sums, c.text() + " " + extension);
    }
  }
  expect_same_bits(first, outputs_in_windows(stencil, source, c.extent(), 1000000), c.text());
  const double bound = 10 * double(std::numeric_limits<T>::epsilon()) * norm(stencil.taps);
  for (Index o = 0; o < c.outputs; o += 9973)
    ASSERT_NEAR(double(first[o]), double(exact(c, stencil, source, 0, o)), bound) << o;
}

TEST(FftBuffer, HasAPlaceForEveryOutput) {
  for (const Index outputs : {16, 112, 240, 400, 1792})
    for (const auto& [points, radix] : {std::pair<Index, int>{2048, 4}, {2048, 8}, {1 << 17, 8}}) {
      const cpu::FftBuffer buffer(points, radix, outputs);
      EXPECT_EQ(buffer.gap() > 0, points == 2048);  // long transforms have no gap
      std::vector<Index> at(2 * outputs);
      for (Index k = 0; k < 2 * outputs; ++k) at[k] = buffer.at(k);
      EXPECT_EQ(at.front(), 0);
      EXPECT_EQ(at[outputs], buffer.second());
      EXPECT_LT(at.back(), cpu::FftBuffer::elements(outputs));
      for (Index k = 0; k < 2 * outputs;) {
        const Index run = buffer.run(k);
        ASSERT_GT(run, 0);
        for (Index next = 1; next < run; ++next) ASSERT_EQ(at[k + next], at[k] + next);
        // then follows a gap: a gap between the two parts of a line, or a larger gap between blocks
        if (k + run < 2 * outputs) {
          EXPECT_GE(at[k + run], at[k] + run + buffer.gap() / 2);
        }
        EXPECT_EQ(at[k] % 16, 0);  // aligned to a cache line
        k += run;
      }
    }
}

/// Arrays of outputs so large that aligned results bypass the caches, compared with the same
/// outputs computed in small windows, which use the caches.
TYPED_TEST(Fft, StreamedResultsAreTheSame) {
  using T = TypeParam;
  constexpr Index line = 64 / sizeof(T);
  constexpr Index enough = (17 << 20) / sizeof(T);
  struct Way {
    bool along_y;
    Index stride, shift;
    const char* extension;
    Index odd = 0;  ///< the pitch is this number of elements more than whole cache lines
  };
  for (const Way& way : testing::sampled(std::vector<Way>{{false, 1, 0, "avx512"},
                                                          {false, 1, 0, "avx2"},
                                                          {false, 1, 0, "baseline"},
                                                          {false, 1, 3, "avx512"},
                                                          {false, 1, 0, "avx512", line / 2},
                                                          {false, 1, 0, "baseline", line / 2},
                                                          {false, 2, 0, "avx2"},
                                                          {true, 1, 0, "avx512"},
                                                          {true, 1, 0, "avx2"},
                                                          {true, 1, 5, "avx512"},
                                                          {true, 2, 0, "avx512"}},
                                         sizeof(T) == 8)) {
    if (!available(way.extension)) continue;
    const Conditions conditions(way.extension, 2);
    const Index across = way.along_y ? 4099 : 5;
    // If `odd` is set, each row has an odd number of whole pairs of blocks. Then no pair has blocks
    // of two rows, but pairs of two rows are transformed together.
    const Index pair = 2 * 400, some = enough / across + 1001;
    const Index outputs = way.odd > 0 ? (some / (2 * pair) * 2 + 1) * pair : some;
    const Case c{100, 512, outputs, way.along_y, way.stride, 1, across};
    const auto stencil = c.stencil<T>();
    Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 9);
    source.view().at(0, 2000 % source.read().extent[1], 2000) = -std::numeric_limits<T>::infinity();
    const Index rows = c.extent()[1], columns = c.extent()[2];
    const Index pitch = (columns + line - 1) / line * line + line + way.odd;
    std::vector<T> memory(rows * pitch + 2 * line, T(-1));
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    const FieldView<T> target{memory.data() + (64 - address % 64) % 64 / sizeof(T) + way.shift,
                              c.extent(), rows * pitch, pitch};
    ASSERT_TRUE(cpu::worth_streaming(double(rows * columns) * sizeof(T)));
    convolve_cpu<T>(stencil, source.read(), target);
    const auto expected =
        outputs_in_windows(stencil, source, c.extent(), way.along_y ? 300 : 100000);
    for (Index y = 0; y < rows; ++y) {
      ASSERT_EQ(std::memcmp(&target.at(0, y, 0), &expected[y * columns], columns * sizeof(T)), 0)
          << c.text() << ", " << way.extension << ", row " << y;
      ASSERT_EQ(target.data[y * pitch + columns], T(-1)) << "after row " << y;
    }
  }
}

/// One input is NaN or infinite: the outputs of the pairs that read it are those of the direct sum,
/// and all other outputs have the same bits as without this input. In half of the trials two pairs
/// read this input.
TYPED_TEST(Fft, NanAndInfinityGoThroughTheDirectSum) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  for (const bool along_y : {false, true}) {
    const Case c{100, 256, 5 * 2 * 144 - 11, along_y, along_y ? 2 : 3, 1, 21};
    const Index pair = 2 * 144;
    const auto fft = c.stencil<T>(), direct = c.stencil<T>(Method::direct);
    ASSERT_EQ(fft.fft->blocks.pair(), pair);
    const Grid<T> clean = normal_points<T>(testing::inputs_for(fft, c.extent()), 6);
    const auto without = outputs(fft, clean, c.extent());
    int number = 0;
    for (const T value : {nan, infinity, -infinity}) {
      for (const Index place : {Index{0}, 2 * pair - 1, 2 * pair + 50, 2 * pair + 120}) {
        Grid<T> source = clean;
        const Index line = number++ % c.across;
        (along_y ? source.view().at(0, place, line) : source.view().at(0, line, place)) = value;
        const auto found = outputs(fft, source, c.extent());
        auto expected = without;
        const auto summed = outputs(direct, source, c.extent());
        for (Index o = 0; o < c.outputs; ++o) {
          const Index begin = o * c.stride / pair * pair;
          if (place < begin || place >= begin + pair + c.width - 1) continue;
          const Index k = along_y ? o * c.across + line : line * c.outputs + o;
          expected[k] = summed[k];
        }
        expect_same_bits(expected, found, fmt::format("{} at {}", value, place));
        expect_same_bits(found, outputs_in_windows(fft, source, c.extent(), 50), "in windows");
      }
    }
  }
}

/// Neighbouring columns with bad inputs (NaN or Inf), including columns in different groups of
/// lanes, and columns at the end of the view.
TYPED_TEST(Fft, RunsOfBadColumnsAreSummedTogether) {
  using T = TypeParam;
  const Case c{100, 256, 400, true, 1, 2, 83};
  const auto fft = c.stencil<T>(), direct = c.stencil<T>(Method::direct);
  Grid<T> source = normal_points<T>(testing::inputs_for(fft, c.extent()), 7);
  auto expected = outputs(fft, source, c.extent());
  for (Index x = 0; x < c.across; ++x)
    if (x % 11 < 7 || x > 50) source.view().at(1, 450, x) = std::numeric_limits<T>::quiet_NaN();
  const auto summed = outputs(direct, source, c.extent());
  for (Index o = 288; o < c.outputs; ++o)
    for (Index x = 0; x < c.across; ++x) {
      const Index k = (c.outputs + o) * c.across + x;
      if (x % 11 < 7 || x > 50) expected[k] = summed[k];
    }
  expect_same_bits(expected, outputs(fft, source, c.extent()), "runs");
}

/// A stride across the mask leaves out rows or columns.
TYPED_TEST(Fft, StridesAcrossTheMask) {
  using T = TypeParam;
  for (const bool along_y : {false, true}) {
    const Mask mask = Mask::line(normal_taps(70), along_y ? y_axis : x_axis);
    const auto fft = make_stencil<T>(mask, Method::fft, {2, 3}, {}, {256, 70});
    const Point extent = along_y ? Point{2, 300, 21} : Point{2, 21, 300};
    Grid<T> source = normal_points<T>(testing::inputs_for(fft, extent), 8);
    const auto both = testing::compute_both(fft, source, extent);
    ASSERT_TRUE(both.guards_untouched);
    const double bound = testing::error_bound<T>(fft, source.read());
    for (std::size_t k = 0; k < both.cpu.size(); ++k)
      ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound) << "at " << k;
    source.set([](Index, Index, Index) { return std::numeric_limits<double>::infinity(); });
    const auto direct = make_stencil<T>(mask, Method::direct, {2, 3}, {});
    expect_same_bits(outputs(direct, source, extent), outputs(fft, source, extent), "strides");
  }
}

/// A stride selects outputs, and does not change the bits of the selected outputs.
TYPED_TEST(Fft, StridesTakeTheBitsOfEveryOutput) {
  using T = TypeParam;
  for (const bool along_y : {false, true})
    for (const Index stride : {2, 3, 4, 6, 8, 10, 16, 24}) {
      const Case c{90, 512, 3500 / stride, along_y, stride, 2, 13};
      const Case every{90, 512, (c.outputs - 1) * stride + 1, along_y, 1, 2, 13};
      const auto stencil = c.stencil<T>();
      const Grid<T> source = normal_points<T>(testing::inputs_for(stencil, c.extent()), 12);
      const auto all = outputs(every.stencil<T>(), source, every.extent());
      std::vector<T> taken;
      for (Index line = 0; line < 2 * 13; ++line)
        for (Index o = 0; o < c.outputs; ++o) {
          const Index b = line / 13, across = line % 13;
          taken.push_back(along_y ? all[(b * every.outputs + o * stride) * 13 + across]
                                  : all[line * every.outputs + o * stride]);
        }
      std::vector<T> found;
      const auto strided = outputs(stencil, source, c.extent());
      for (Index line = 0; line < 2 * 13; ++line)
        for (Index o = 0; o < c.outputs; ++o)
          found.push_back(along_y ? strided[(line / 13 * c.outputs + o) * 13 + line % 13]
                                  : strided[line * c.outputs + o]);
      expect_same_bits(taken, found, c.text());
    }
}

/// If one output is too large for the type, its pair is summed directly if the stride may select
/// this output; the other outputs are then exact. Otherwise the pair is still computed by a
/// transform, which is visible in the rounding errors of the other outputs.
TYPED_TEST(Fft, OutputsThatNoStrideWantsMayOverflow) {
  using T = TypeParam;
  std::vector<double> taps(65, 0.0);
  taps[0] = 2;
  taps[4] = 0.25;
  for (const bool along_y : {false, true})
    // short transforms share an inverse transform in pairs, long transforms do not
    for (const Index points : {256, 131072})
      // in both blocks of a pair of the short transform
      for (const Index place : {400, 401, 684, 685}) {
        // long transforms take a long time, so only some cases are tried
        if (points > 256 && (along_y || place > 401)) continue;
        const Case c{65, points, 1000, along_y, 4, 1, 3};
        const auto fft = make_stencil<T>(
            Mask::line(taps, along_y ? y_axis : x_axis), Method::fft,
            along_y ? std::array<Index, 2>{4, 1} : std::array<Index, 2>{1, 4}, {}, {points, 65});
        Grid<T> source(testing::inputs_for(fft, c.extent()), T(0));
        source.set([](Index, Index, Index) { return 1; });
        (along_y ? source.view().at(0, place, 1) : source.view().at(0, 1, place)) =
            std::numeric_limits<T>::max() / 5 * 3;
        const Index pair = fft.fft->blocks.pair(), begin = place / pair * pair;
        std::vector<T> first;
        for (const char* extension : {"baseline", "avx2", "avx512"}) {
          if (!available(extension)) continue;
          const Conditions conditions(extension, 2);
          const auto found = outputs(fft, source, c.extent());
          if (first.empty()) first = found;
          expect_same_bits(first, found, extension);
          Index exact = 0, count = 0;
          for (Index o = (begin + 3) / 4; o < std::min<Index>(1000, (begin + pair) / 4); ++o) {
            const T value = found[along_y ? 3 * o + 1 : 1000 + o];
            ++count;
            exact += value == T(2.25);
            if (o * 4 == place)
              EXPECT_EQ(value, std::numeric_limits<T>::infinity()) << extension;
            else
              EXPECT_TRUE(std::isfinite(value)) << extension << " at " << o;
          }
          if (place % 2 == 0)
            EXPECT_EQ(exact, count - 2) << extension << ", " << points << ", " << place;
          else
            EXPECT_LT(exact, count * 3 / 4) << extension << ", " << points << ", " << place;
        }
        expect_same_bits(first, outputs_in_windows(fft, source, c.extent(), 100), "windows");
      }
}

/// Sums that can be represented although their transform overflows.
TYPED_TEST(Fft, OverflowOfATransformIsSummedDirectly) {
  using T = TypeParam;
  const Case c{65, 256, 1000};
  std::vector<double> taps(65, 0.0);
  taps[3] = 0.5;
  const Mask mask = Mask::line(taps);
  const auto fft = make_stencil<T>(mask, Method::fft, {1, 1}, {}, {c.points, c.width});
  Grid<T> source(testing::inputs_for(fft, c.extent()), T(0));
  source.set([](Index, Index, Index) { return std::numeric_limits<T>::max() / 2; });
  for (const T value : outputs(fft, source, c.extent()))
    ASSERT_EQ(value, std::numeric_limits<T>::max() / 4);
  expect_same_bits(outputs(fft, source, c.extent()),
                   outputs_in_windows(fft, source, c.extent(), 30), "");
}

TYPED_TEST(Fft, SilenceStaysPlusZero) {
  using T = TypeParam;
  for (const auto& taps : std::vector<std::vector<double>>{{-1}, {1}, {-1, -2}, normal_taps(65)}) {
    const Mask mask = Mask::line(taps);
    const auto fft = make_stencil<T>(mask, Method::fft, {1, 1}, {}, {256, Index(taps.size())});
    for (const T zero : {T(0), -T(0)}) {
      Grid<T> source(testing::inputs_for(fft, {1, 1, 1000}), T(0));
      source.set([&](Index, Index, Index) { return zero; });
      expect_same_bits(std::vector<T>(1000, T(0)), outputs(fft, source, {1, 1, 1000}), "silence");
    }
  }
}

}  // namespace
}  // namespace stencil
