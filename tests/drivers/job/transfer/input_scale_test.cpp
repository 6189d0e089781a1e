#include "drivers/job/transfer/input_scale.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stencil {
namespace {

/// The note about one row of points, which is distributed over the ranks.
template <class T>
std::string note_on(const std::vector<T>& all) {
  const Communicator communicator(MPI_COMM_WORLD);
  const Index count = std::ssize(all), ranks = communicator.size(), rank = communicator.rank();
  const Index first = count * rank / ranks, last = count * (rank + 1) / ranks;
  InputScale scale;
  scale.add<T>({all.data() + first, {1, 1, last - first}, last - first, last - first});
  Plan plan;
  plan.chain.precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;
  return scale.note(communicator, plan);
}

template <class T>
std::vector<T> waves() {
  std::vector<T> points(5000);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = static_cast<T>(std::sin(0.3 * static_cast<double>(i)));
  return points;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(InputScale, AKnownFillValueIsNamedAsMissing) {
  auto points = waves<float>();
  EXPECT_EQ(note_on(points), "");
  points[3210] = 9.96921e36F;
  EXPECT_TRUE(holds(note_on(points), "the input contains 9.96921e+36")) << note_on(points);
  EXPECT_TRUE(holds(note_on(points), "write missing.value = 9.96921e+36 if")) << note_on(points);
  EXPECT_TRUE(holds(note_on(points), "method = direct")) << note_on(points);
  points[3210] = -1e20F;
  EXPECT_TRUE(holds(note_on(points), "write missing.value = -1e+20 if")) << note_on(points);
}

TEST(InputScale, AnyOtherNumberSendsToDirectSumsFirst) {
  auto points = waves<double>();
  points[7] = 1.5e25;
  EXPECT_TRUE(holds(note_on(points), "write method = direct, or missing.value = 1.5e+25"))
      << note_on(points);
}

TEST(InputScale, DigitsOfTheTypeDecide) {
  auto single = waves<float>();
  auto wide = waves<double>();
  single[9] = 1e10F;  // 6e-8 (eps) times this number is larger than all other numbers
  wide[9] = 1e10;     // 1e-16 (eps) times this number is smaller
  EXPECT_NE(note_on(single), "");
  EXPECT_EQ(note_on(wide), "");
  single[9] = 1e4F;
  EXPECT_EQ(note_on(single), "");
}

TEST(InputScale, AChannelThatIsMixedLosesDigitsByAnother) {
  const Communicator communicator(MPI_COMM_WORLD);
  std::vector<float> channels(10'000, 0);  // two channels; all points of the second one are 1
  std::fill(channels.begin() + 5000, channels.end(), 1.0F);
  channels[77] = 1e30F;
  const FieldView<const float> both{channels.data(), {2, 1, 5000}, 5000, 5000};
  InputScale alone, mixed(2);
  alone.add<float>(both);
  mixed.add<float>(both);
  Plan plan;
  EXPECT_EQ(alone.note(communicator, plan), "");
  EXPECT_TRUE(holds(mixed.note(communicator, plan), "the input contains 1e+30"));
  EXPECT_TRUE(holds(mixed.note(communicator, plan), "missing.value"));
  plan.input.part_names = {"r", "i"};  // of complex numbers, only NaN is missing
  EXPECT_FALSE(holds(mixed.note(communicator, plan), "missing.value"));
  EXPECT_TRUE(holds(mixed.note(communicator, plan), "write method = direct"));
}

TEST(InputScale, NeitherNaNNorInfinitiesNorZerosCount) {
  auto points = waves<float>();
  points[9] = NAN;
  points[99] = INFINITY;
  EXPECT_EQ(note_on(points), "");
  std::vector<float> zeros(5000, 0);
  EXPECT_EQ(note_on(zeros), "");
  zeros[9] = 1e30F;
  EXPECT_EQ(note_on(zeros), "");  // all other points are 0 and cannot lose digits
  EXPECT_EQ(note_on(std::vector<float>(5000, 1e30F)), "");
}

TEST(InputScale, ASlowDecayLosesNothing) {
  std::vector<float> decay(1 << 18);
  for (std::size_t i = 0; i < decay.size(); ++i)
    decay[i] = static_cast<float>(std::pow(10, -20.0 * static_cast<double>(i) / (1 << 18)));
  EXPECT_EQ(note_on(decay), "");
}

TEST(InputScale, RowsOfFewPointsAreComparedWithEachOther) {
  std::vector<float> points(300 * 3, 1);
  points[451] = 1e20F;
  InputScale scale;
  scale.add<float>({points.data(), {1, 300, 3}, 900, 3});
  EXPECT_TRUE(holds(scale.note(Communicator(MPI_COMM_WORLD), Plan()), "1e+20"));
}

}  // namespace
}  // namespace stencil
