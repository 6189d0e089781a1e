#include "kernels/bind/convert_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "framework/device/cpu/cpu_executor.hpp"

namespace stencil {
namespace {

/// Two rows of three points. The rows of the integers are five elements apart, and the rows of the
/// target are four elements apart.
template <class Stored, class T>
struct Rows {
  std::vector<Stored> stored;
  std::vector<T> target = std::vector<T>(8, T(-7));

  Index convert(const std::vector<Stored>& missing, T replacement) {
    CpuExecutor executor;
    const FieldView<const Stored> from{stored.data(), {1, 2, 3}, 10, 5};
    return convert_points<Stored, T>(executor, from, {target.data(), {1, 2, 3}, 8, 4}, missing,
                                     replacement);
  }
};

TEST(ConvertPoints, MissingOnesAreReplacedAndCountedAndNothingBesideIsTouched) {
  Rows<std::int16_t, float> rows{{1, -999, 3, -999, -999, 4, 5, -998, 0, 0}};
  EXPECT_EQ(rows.convert({-999, -998}, 0.5f), 2) << "not those between the rows";
  EXPECT_EQ(rows.target, (std::vector<float>{1, 0.5, 3, -7, 4, 5, 0.5, -7}));
}

TEST(ConvertPoints, MissingValuesAreComparedAsIntegersAndOthersRoundedToNearest) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Rows<std::uint64_t, double> rows{{most, most - 1, (std::uint64_t{1} << 53) + 1, 0, 0, 7, 8, 9}};
  EXPECT_EQ(rows.convert({most}, NAN), 1) << "its neighbour rounds to the same number";
  EXPECT_TRUE(std::isnan(rows.target[0]));
  EXPECT_EQ(rows.target[1], std::ldexp(1.0, 64));
  EXPECT_EQ(rows.target[2], std::ldexp(1.0, 53)) << "ties to even";
  EXPECT_EQ(rows.target[6], 9);
}

}  // namespace
}  // namespace stencil
