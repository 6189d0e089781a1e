// The same bits for every vector extension, number of threads and division of the work.

#include <gtest/gtest.h>

#include "kernels/cpu/work_cut.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/grid_data.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;

/// Random numbers of very different size, some infinite, some NaN with different payloads.
template <class T>
Grid<T> wild(const Point& extent, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Grid<T> grid(extent, T(0), 3);
  return grid.set([&](Index, Index, Index) {
    const unsigned kind = random() % 3000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::numeric_limits<double>::infinity();
    if (kind == 2) return std::nan("");
    if (kind == 3) return -std::nan("77");
    return normal(random) * std::pow(10.0, int(random() % 9) - 4);
  });
}

struct Case {
  Index height, width;
  bool outer;
  std::array<Index, 2> stride;
  std::optional<double> min_valid;
  bool zeros;
  Point extent;
  Index terms = 1;
};

/// Every shape of mask with every stride, with and without missing points. A quick run tries half
/// of these cases for each shape.
std::vector<Case> cases() {
  std::vector<Case> list;
  const std::vector<Case> shapes{{1, 9, false, {}, {}, false, {1, 1, 40000}},
                                 {1, 65, false, {}, {}, false, {3, 2, 1031}},
                                 {7, 1, false, {}, {}, false, {1, 97, 301}},
                                 {5, 6, false, {}, {}, false, {2, 61, 203}},
                                 {2, 2, false, {}, {}, false, {1, 61, 1203}},
                                 {3, 3, false, {}, {}, true, {1, 130, 203}},
                                 {9, 9, true, {}, {}, false, {2, 61, 203}},
                                 {17, 4, true, {}, {}, true, {1, 300, 2000}},
                                 {13, 2, false, {}, {}, false, {1, 170, 131}},
                                 {20, 1, false, {}, {}, false, {2, 130, 77}},
                                 {11, 3, false, {}, {}, true, {1, 130, 60}},
                                 {1, 17, false, {}, {}, false, {1, 3, 700}},
                                 {1, 100, false, {}, {}, false, {1, 6, 333}},
                                 {40, 33, true, {}, {}, false, {1, 170, 90}},
                                 {9, 9, true, {}, {}, false, {2, 61, 203}, 2},
                                 {15, 15, true, {}, {}, false, {1, 300, 2000}, 3},
                                 {5, 2, true, {}, {}, true, {1, 170, 131}, 3},
                                 {31, 17, true, {}, {}, false, {2, 20, 333}, 2},
                                 {2, 1, false, {}, {}, false, {1, 37, 5001}},
                                 {3, 1, false, {}, {}, false, {1, 70, 1100}},
                                 {5, 1, false, {}, {}, false, {2, 131, 333}},
                                 {33, 1, false, {}, {}, true, {1, 70, 2100}}};
  const std::vector<std::array<Index, 2>> strides{{1, 1}, {2, 1}, {1, 3}, {2, 2}};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    for (std::size_t s = 0; s < strides.size(); ++s) {
      for (const bool misses : {false, true}) {
        if (!testing::is_thorough() && (k + s + misses) % 2 == 1) continue;
        Case one = shapes[k];
        one.stride = strides[s];
        if (misses) one.min_valid = 0.4;
        if (one.terms == 1 || !misses) list.push_back(one);
      }
    }
  }
  return list;
}

template <class T>
Stencil<T> stencil_of(const Case& c) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal(0.3);
  const auto draw = [&] { return c.zeros && random() % 3 == 0 ? 0.0 : normal(random); };
  Mask mask = c.terms > 1 ? testing::drawn_sum(c.height, c.width, c.terms, draw)
                          : testing::drawn_mask(c.height, c.width, c.outer, draw);
  if (c.terms == 1) mask.multiply_zeros = !c.zeros;
  return make_stencil<T>(mask, c.outer ? Method::separable : Method::direct, c.stride, c.min_valid);
}

template <class T>
std::vector<T> outputs(const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
  Grid<T> target(extent, T(0));
  convolve_cpu<T>(stencil, source.read(), target.view());
  return target.points_of();
}

/// Computes random boxes of outputs, each of a limited number of rows, one after the other until
/// all outputs are computed.
template <class T>
std::vector<T> outputs_in_pieces(const Stencil<T>& stencil, const Grid<T>& source,
                                 const Point& extent, Index most_rows = 1 << 30) {
  std::mt19937 random(12);
  Grid<T> target(extent, T(0));
  const auto cuts = [&](Index n, Index most) {
    std::vector<Index> list{0};
    while (list.back() < n)
      list.push_back(std::min<Index>(n, list.back() + 1 + random() % std::min(n, most)));
    return list;
  };
  const auto batches = cuts(extent[0], extent[0]), ys = cuts(extent[1], most_rows),
             xs = cuts(extent[2], extent[2]);
  for (std::size_t i = 1; i < batches.size(); ++i) {
    for (std::size_t j = 1; j < ys.size(); ++j) {
      for (std::size_t k = 1; k < xs.size(); ++k) {
        const Box box{{batches[i - 1], ys[j - 1], xs[k - 1]}, {batches[i], ys[j], xs[k]}};
        Box reads = box;
        reads.set(y_axis, {box.first[1] * stencil.stride[0],
                           (box.last[1] - 1) * stencil.stride[0] + stencil.height});
        reads.set(x_axis, {box.first[2] * stencil.stride[1],
                           (box.last[2] - 1) * stencil.stride[1] + stencil.width});
        convolve_cpu<T>(stencil, source.read().window(reads), target.view().window(box));
      }
    }
  }
  return target.points_of();
}

template <class T>
class ConvolveBits : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveBits, Types);

TYPED_TEST(ConvolveBits, EveryExtensionThreadCountAndCut) {
  using T = TypeParam;
  for (const Case& c : cases()) {
    const Stencil<T> stencil = stencil_of<T>(c);
    const Grid<T> source = wild<T>(testing::inputs_for(stencil, c.extent), 13);
    const std::string name = std::to_string(c.height) + " x " + std::to_string(c.width) +
                             (c.outer ? " separable " : " direct ") + std::to_string(c.terms) + " ";
    std::vector<T> first;
    {
      const Conditions conditions("baseline", 1);
      first = outputs(stencil, source, c.extent);
    }
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      for (const int threads :
           testing::is_thorough() ? std::vector<int>{1, 2, 3, 7} : std::vector<int>{7}) {
        const Conditions conditions(extension, threads);
        expect_same_bits(first, outputs(stencil, source, c.extent),
                         name + extension + " threads " + std::to_string(threads));
      }
      const Conditions conditions(extension, 2);
      expect_same_bits(first, outputs_in_pieces(stencil, source, c.extent),
                       name + extension + " in pieces");
    }
  }
}

/// Arrays of outputs so large that the results bypass the caches, at unaligned addresses, compared
/// with the same outputs computed in small pieces, which use the caches.
TYPED_TEST(ConvolveBits, StreamedResultsAreTheSame) {
  using T = TypeParam;
  // the distance of rows is a whole number of cache lines (seven points of padding), because
  // otherwise groups of rows are not streamed
  const Index rows = 512 + 3, columns = 40 * 1024 / Index(sizeof(T)) + 9;
  constexpr Index few_rows = 64;
  std::size_t number = sizeof(T) / 8;  // float64 uses another extension than float32
  struct Sums {
    int terms;
    std::optional<double> min_valid = {};
    Index height = 3, width = 3;
  };
  for (const auto& [terms, min_valid, height, width] :
       std::vector<Sums>{{0}, {1}, {2}, {0, 0.4}, {1, 0.4}, {0, {}, 1, 9}, {0, {}, 9, 1}}) {
    const auto draw = [n = 0]() mutable { return 0.1 * ++n; };
    const Mask mask = terms > 1 ? testing::drawn_sum(height, width, terms, draw)
                                : testing::drawn_mask(height, width, terms == 1, draw);
    const auto stencil =
        make_stencil<T>(mask, terms > 0 ? Method::separable : Method::direct, {1, 1}, min_valid);
    const Grid<T> source = wild<T>(testing::inputs_for(stencil, {1, rows, columns}), 15);
    std::vector<const char*> extensions{"avx2", "avx512"};
    std::erase_if(extensions, [](const char* name) { return !available(name); });
    if (extensions.size() > 1) extensions = testing::sampled(extensions, ++number % 2);
    for (const char* extension : extensions) {
      const Conditions conditions(extension, 2);
      const double row = double(columns) * sizeof(T);
      ASSERT_TRUE(cpu::worth_streaming(row * double(rows)));
      ASSERT_FALSE(cpu::worth_streaming(row * double(few_rows)));
      expect_same_bits(
          outputs_in_pieces(stencil, source, {1, rows, columns}, few_rows),
          outputs(stencil, source, {1, rows, columns}),
          std::string(extension) + " " + std::to_string(height) + "x" + std::to_string(width));
    }
  }
}

/// The order of additions that stencil.hpp promises, in plain loops.
TYPED_TEST(ConvolveBits, OneFusedMultiplyAddPerTapInRowMajorOrder) {
  using T = TypeParam;
  std::mt19937 random(14);
  std::normal_distribution<double> normal;
  for (const bool outer : {false, true}) {
    const Mask mask = testing::drawn_mask(5, 4, outer, [&] { return normal(random); });
    const auto stencil =
        make_stencil<T>(mask, outer ? Method::separable : Method::direct, {1, 1}, {});
    Grid<T> source(testing::inputs_for(stencil, {1, 11, 83}), T(0));
    source.set([&](Index, Index, Index) { return normal(random); });
    Grid<T> expected({1, 11, 83}, T(0));
    expected.set([&](Index, Index y, Index x) {
      T sum = 0;
      for (Index j = 0; j < 5; ++j) {
        T across = 0;
        for (Index i = 0; i < 4; ++i) {
          const T point = source.read().at(0, y + j, x + i);
          if (outer) across = std::fma(stencil.row[i], point, across);
          if (!outer) sum = std::fma(stencil.taps[j * 4 + i], point, sum);
        }
        if (outer) sum = std::fma(stencil.column[j], across, sum);
      }
      return sum;
    });
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      const Conditions conditions(extension, 2);
      expect_same_bits(expected.points_of(), outputs(stencil, source, {1, 11, 83}), extension);
    }
  }
}

/// In a sum of several separable terms, the terms are added in turns within every row of the mask.
TYPED_TEST(ConvolveBits, TermsTakeTurnsRowByRow) {
  using T = TypeParam;
  std::mt19937 random(16);
  std::normal_distribution<double> normal;
  for (const Index terms : {2, 3}) {
    for (const Index ny : {7, 60}) {  // few rows are summed row by row, many rows by a sweep
      const Mask mask = testing::drawn_sum(5, 4, terms, [&] { return normal(random); });
      const auto stencil = make_stencil<T>(mask, Method::separable, {1, 1}, {});
      Grid<T> source(testing::inputs_for(stencil, {1, ny, 83}), T(0));
      source.set([&](Index, Index, Index) { return normal(random); });
      Grid<T> expected({1, ny, 83}, T(0));
      expected.set([&](Index, Index y, Index x) {
        T sum = 0;
        for (Index j = 0; j < 5; ++j) {
          for (Index k = 0; k < terms; ++k) {
            T across = 0;
            for (Index i = 0; i < 4; ++i)
              across = std::fma(stencil.row[k * 4 + i], source.read().at(0, y + j, x + i), across);
            sum = std::fma(stencil.column[k * 5 + j], across, sum);
          }
        }
        return sum;
      });
      for (const char* extension : {"baseline", "avx2", "avx512"}) {
        if (!available(extension)) continue;
        const Conditions conditions(extension, 2);
        expect_same_bits(expected.points_of(), outputs(stencil, source, {1, ny, 83}), extension);
      }
    }
  }
}

TYPED_TEST(ConvolveBits, EveryNanIsTheSame) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  const T quiet = std::numeric_limits<T>::quiet_NaN();
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    if (!available(extension)) continue;
    const Conditions conditions(extension, 1);
    for (const bool outer : {false, true}) {
      const Mask mask = Mask::outer({1, 1}, {1, 1});
      const auto stencil =
          make_stencil<T>(mask, outer ? Method::separable : Method::direct, {1, 1}, {});
      // A negative NaN with a payload, and Inf - Inf, whose result on x86 is a negative NaN.
      Grid<T> source({1, 4, 91}, T(0));
      source.set([&](Index, Index y, Index x) {
        if (x % 2 == 0) return T(y);
        return y == 0 ? std::copysign(T(std::nan("77")), T(-1)) : (y % 2 ? infinity : -infinity);
      });
      const std::vector<T> found = outputs(stencil, source, {1, 3, 90});
      expect_same_bits(found, std::vector<T>(found.size(), quiet), extension);
    }
  }
}

/// Sums in which every product underflows, some to -0.
TEST(UnderflowedSums, AreZeroWithoutASign) {
  std::mt19937 random(14);
  std::normal_distribution<double> normal;
  for (const Case& c : cases()) {
    const double size = c.outer ? 1e-80 : 1e-160;
    // to renormalize, the taps must have a sum that is not near 0
    const double mean = c.min_valid ? 3 : 0;
    const auto draw = [&] { return size * (normal(random) + mean); };
    const Mask mask = c.terms > 1 ? testing::drawn_sum(c.height, c.width, c.terms, draw)
                                  : testing::drawn_mask(c.height, c.width, c.outer, draw);
    const auto stencil = make_stencil<double>(mask, c.outer ? Method::separable : Method::direct,
                                              c.stride, c.min_valid);
    const Point extent{1, std::min<Index>(c.extent[1], 40), std::min<Index>(c.extent[2], 200)};
    Grid<double> source(testing::inputs_for(stencil, extent), 0.0);
    source.set([&](Index, Index, Index) {
      if (c.min_valid && random() % 50 == 0) return std::nan("");
      return random() % 3 == 0 ? 0.0 : 1e-170 * normal(random);
    });
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      const Conditions conditions(extension, 1);
      for (const double found : outputs(stencil, source, extent))
        ASSERT_TRUE(std::isnan(found) || (found == 0 && !std::signbit(found)))
            << found << " by " << c.height << " x " << c.width << ", " << extension;
    }
  }
}

TEST(VectorExtension, EnvironmentForcesOne) {
  {
    const Conditions conditions("baseline", 3);
    EXPECT_EQ(cpu_walk_facts(), "baseline, 3 threads");
  }
  {
    const Conditions conditions("baseline", 1);
    EXPECT_EQ(cpu_walk_facts(), "baseline, 1 thread");
  }
  {
    const Conditions conditions("", 1);  // an empty text: as if STENCIL_SIMD were not set
    EXPECT_NO_THROW(cpu_walk_facts());
  }
  for (const char* word : {"sse", "AVX2"}) {
    const Conditions conditions(word, 1);
    EXPECT_THROW(cpu_walk_facts(), WordsError) << word;
  }
  EXPECT_TRUE(available("baseline"));
}

}  // namespace
}  // namespace stencil
