// Arrays of any layout and type, and invalid arrays.
#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "drivers/pipeline/apply.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plain_chain.hpp"

namespace stencil {
namespace {

using namespace test;

static_assert(std::is_convertible_v<ArrayView<const float>, AnyInput>);
static_assert(std::is_convertible_v<ArrayView<float>, AnyInput>);
static_assert(std::is_convertible_v<ArrayView<float>, AnyOutput>);
static_assert(!std::is_convertible_v<ArrayView<const float>, AnyOutput>,
              "constants are not outputs");

/// 4 x 6 x 5 points in arrays whose axes have any order and direction.
TEST(ApplyArrays, StridesOfAnySignAndOrder) {
  const Point shape{4, 6, 5};
  const Stage stage{.mask = Mask::grid(whole_taps(6), 3, 2), .boundary = BoundaryRule::mirror};
  const Points in = numbered(shape);
  const Points want = expected({stage}, in);
  const AxisList extents{4, 6, 5};
  for (const auto& order :
       std::vector<std::array<int, 3>>{{2, 1, 0}, {0, 1, 2}, {1, 2, 0}, {2, 0, 1}})
    for (unsigned signs = 0; signs < 8; ++signs)
      for (const Index gap : {1, 2}) {
        AxisList strides = extents;
        Index bytes = 8, offset = 0;
        for (const int axis : order) {
          const bool is_negative = signs >> axis & 1;
          strides[axis] = is_negative ? -bytes : bytes;
          if (is_negative) offset += bytes * (extents[axis] - 1);
          bytes *= extents[axis] * gap;
        }
        std::vector<double> from(std::size_t(bytes / 8)), to(from.size(), -1);
        const auto place = [&](Index b, Index y, Index x) {
          return std::size_t((offset + b * strides[0] + y * strides[1] + x * strides[2]) / 8);
        };
        const auto each = [&](const auto& call) {
          for (Index b = 0; b < 4; ++b)
            for (Index y = 0; y < 6; ++y)
              for (Index x = 0; x < 5; ++x) call(b, y, x);
        };
        Points source = in, target = want;
        each([&](Index b, Index y, Index x) { from[place(b, y, x)] = source.at(b, y, x); });
        apply({stage}, ArrayView<const double>(from.data() + offset / 8, extents, strides),
              ArrayView<double>(to.data() + offset / 8, extents, strides));
        each([&](Index b, Index y, Index x) {
          ASSERT_EQ(to[place(b, y, x)], target.at(b, y, x)) << signs << ' ' << gap;
          to[place(b, y, x)] = -1;
        });
        for (const double untouched : to) ASSERT_EQ(untouched, -1);
      }
}

/// In column-major arrays, points along x are far apart, and are copied several at a time.
TEST(ApplyArrays, LongMasksOnTransposedArrays) {
  for (const BoundaryRule rule : rules)
    for (const Index columns : {3, 50, 130}) {
      const Stage stage{.mask = Mask::line(whole_taps(77), x_axis, 9), .boundary = {rule, 2}};
      const Index rows = 20;
      const Points in = numbered({1, rows, columns});
      const Points want = expected({stage}, in);
      Points source = in, target = want;
      std::vector<double> from(in.values.size()), to(from.size());
      for (Index x = 0; x < columns; ++x)
        for (Index y = 0; y < rows; ++y) from[std::size_t(x * rows + y)] = source.at(0, y, x);
      apply({stage}, ArrayView<const double>(from.data(), {rows, columns}, {8, 8 * rows}),
            ArrayView<double>(to.data(), {rows, columns}, {8, 8 * rows}));
      for (Index x = 0; x < columns; ++x)
        for (Index y = 0; y < rows; ++y)
          ASSERT_EQ(to[std::size_t(x * rows + y)], target.at(0, y, x))
              << to_string(rule) << ", " << columns << " columns: " << y << ' ' << x;
    }
}

TEST(ApplyArrays, AnInputMayBeBroadcast) {
  const double row[3] = {1, 5, 2};
  std::vector<double> out(6);
  apply({{.mask = Mask::line({1, 1, 1}, y_axis)}}, ArrayView<const double>(row, {2, 3}, {0, 8}),
        ArrayView(out.data(), {2, 3}));
  EXPECT_EQ(out, (std::vector<double>{3, 15, 6, 3, 15, 6}));
}

/// Records of 5 bytes, one field of which is an int32.
TEST(ApplyArrays, PointsNeedNoAlignment) {
  std::vector<std::byte> records(5 * 4 + 1);
  for (Index k = 0; k < 4; ++k) {
    const auto value = std::int32_t(k * k);
    std::memcpy(records.data() + 1 + 5 * k, &value, 4);
  }
  std::vector<float> out(4);
  apply({{.mask = Mask::line({1, 1, 1})}}, AnyInput(records.data() + 1, Element::int32, {4}, {5}),
        ArrayView(out.data(), {4}));
  EXPECT_EQ(out, (std::vector<float>{1, 5, 14, 22}));
}

/// Filters along each axis of a 4D array. The other axes are folded into a batch, or their indices
/// are computed one after the other.
TEST(ApplyArrays, AnyAxesOfAnArray) {
  const AxisList shape{3, 4, 5, 2};
  std::vector<double> in(120), out(120);
  for (std::size_t k = 0; k < 120; ++k) in[k] = double(k * 7919 % 101);
  const AxisList strides = row_major_strides(shape, 1);
  const std::vector<double> taps{1, 3, -2};
  for (int axis = -4; axis < 4; ++axis)
    for (const bool as_batch : {false, true}) {
      const int at = axis < 0 ? axis + 4 : axis;
      Stage stage{.mask = Mask::line(taps)};
      ApplyOptions options{.axes = {axis}};
      if (as_batch) {
        stage.mask = Mask::line(taps, batch_axis);
        options.axes = {axis, (at + 1) % 4, (at + 2) % 4};
      }
      apply({stage}, ArrayView<const double>(in.data(), shape), ArrayView(out.data(), shape),
            options);
      for (Index k = 0; k < 120; ++k) {
        const Index index = k / strides[at] % shape[at];
        double sum = 0;
        for (Index tap = 0; tap < 3; ++tap) {
          const Index source = *source_index(BoundaryRule::reflect, index + tap - 1, shape[at]);
          sum += taps[std::size_t(tap)] * in[std::size_t(k + (source - index) * strides[at])];
        }
        ASSERT_EQ(out[std::size_t(k)], sum) << "axis " << axis << ", point " << k;
      }
    }
}

/// A mask of three axes along three of four axes of an array, with one and several steps.
TEST(ApplyArrays, MasksOfThreeAxes) {
  const Index n[4] = {5, 2, 4, 6};
  std::vector<double> in(5 * 2 * 4 * 6), out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = double(k * k % 17);
  const Mask mask = Mask::volume({1, 2, {1, 2, 3, 4, 5, 6}, 3});
  const AxisList shape{5, 2, 4, 6};
  const ArrayView<const double> from(in.data(), shape);
  const ArrayView to(out.data(), shape);
  apply({{.mask = mask, .boundary = BoundaryRule::wrap, .steps = 2}}, from, to,
        {.axes = {0, 3, 2}});
  const auto at = [&](Index a, Index b, Index c, Index d) {
    return std::size_t(((a * n[1] + b) * n[2] + c) * n[3] + d);
  };
  std::vector<double> expected = in;
  for (int step = 0; step < 2; ++step) {
    const std::vector<double> before = expected;
    for (Index a = 0; a < n[0]; ++a)
      for (Index b = 0; b < n[1]; ++b)
        for (Index c = 0; c < n[2]; ++c)
          for (Index d = 0; d < n[3]; ++d) {
            double& sum = expected[at(a, b, c, d)] = 0;
            for (Index k = 0; k < 3; ++k)
              for (Index i = 0; i < 2; ++i)
                sum += double(2 * k + i + 1) *
                       before[at((a + k - 1 + n[0]) % n[0], b, (c + i - 1 + n[2]) % n[2], d)];
          }
  }
  EXPECT_EQ(out, expected);
  EXPECT_THROW(apply({{.mask = mask}}, from, to, {}), UsageError)
      << "two axes would fold into batch";
  EXPECT_THROW(apply({{.mask = Mask::line({1, 1}), .plane_stride = 2}}, from, to, {}), ShapeError);
}

TEST(ApplyArrays, EightAxes) {
  const AxisList shape{2, 1, 2, 1, 3, 2, 4, 3};
  std::vector<float> in(288), out(288), folded(288);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = float(k * 31 % 17);
  const Stage stage{.mask = Mask::grid(whole_taps(9), 3, 3)};
  apply({stage}, ArrayView(in.data(), shape), ArrayView(out.data(), shape));
  apply({stage}, ArrayView(in.data(), {24, 4, 3}), ArrayView(folded.data(), {24, 4, 3}));
  EXPECT_EQ(out, folded);
}

TEST(ApplyArrays, BanksAndChannelsMakeMoreOutputs) {
  const Stage bank{.bank = {Mask::line({1, 2}), Mask::line({3, 4}), Mask::line({5, 6})}};
  const Stage mix{.channels = make_channel_mask({5, 2, 1, 1}, whole_taps(10))};
  EXPECT_EQ(output_shape({bank}, {7}), (AxisList{3, 7}));
  EXPECT_EQ(output_shape({bank}, {6, 7}), (AxisList{3, 6, 7}));
  EXPECT_EQ(output_shape({bank}, {4, 6, 7}), (AxisList{12, 6, 7}));
  EXPECT_EQ(output_shape({mix}, {4, 2, 6, 7}), (AxisList{4, 5, 6, 7}));
  EXPECT_EQ(output_shape({mix}, {8, 1, 6, 7}), (AxisList{20, 1, 6, 7}));
  const Points in = numbered({4, 6, 7});
  const Points want = expected({bank}, in);
  std::vector<double> out(want.values.size());
  for (const AxisList& shape :
       {AxisList{12, 6, 7}, AxisList{4, 3, 6, 7}, AxisList{2, 2, 3, 6, 7}}) {
    apply({bank}, ArrayView(in.values.data(), {4, 6, 7}), ArrayView(out.data(), shape));
    EXPECT_EQ(out, want.values) << to_string(shape);
  }
}

template <class T>
void check_type() {
  std::vector<T> in{T(1), T(5), T(100), T(7), T(0)}, out(5);
  apply({{.mask = Mask::line({0.25, 0.5, 0.25})}}, ArrayView(in.data(), {5}),
        ArrayView(out.data(), {5}));
  // the results are 2, 27.75, 53, 28.5, 1.75; integers are rounded towards 0
  const bool is_whole = std::is_integral_v<T>;
  EXPECT_EQ(out, (std::vector<T>{T(2), T(27.75), T(53), T(28.5), T(is_whole ? 1 : 1.75)}));
  apply({{.mask = Mask::line({0.25, 0.5, 0.25})}}, ArrayView(in.data(), {5}),
        ArrayView(out.data(), {5}), {.cast = IntegerCast::saturate});
  if (is_whole) {
    EXPECT_EQ(out, (std::vector<T>{T(2), T(28), T(53), T(28), T(2)}));
  }
}

TEST(ApplyArrays, EveryTypeOfPoints) {
  check_type<float>();
  check_type<double>();
  check_type<std::int8_t>();
  check_type<std::uint8_t>();
  check_type<std::int16_t>();
  check_type<std::uint16_t>();
  check_type<std::int32_t>();
  check_type<std::uint32_t>();
  check_type<std::int64_t>();
  check_type<std::uint64_t>();
  check_type<long long>();
}

/// As in scipy.ndimage.correlate1d, -3.7 becomes 253 in uint8; 300.2 becomes 44 in uint8 and int8.
TEST(ApplyArrays, IntegersAreCastAsInSciPy) {
  const double in[6] = {-3.7, 300.2, 2.99, -0.5, 1e30, std::nan("")};
  std::uint8_t bytes[6];
  std::int8_t small[6];
  std::int64_t large[6];
  const Stage same{.mask = Mask::line({1})};
  const ArrayView<const double> from(in, {6});
  apply({same}, from, ArrayView(bytes, {6}));
  apply({same}, from, ArrayView(small, {6}));
  apply({same}, from, ArrayView(large, {6}));
  EXPECT_EQ(std::vector<int>(bytes, bytes + 4), (std::vector<int>{253, 44, 2, 0}));
  EXPECT_EQ(std::vector<int>(small, small + 4), (std::vector<int>{-3, 44, 2, 0}));
  EXPECT_EQ(large[4], std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(large[5], 0);
  apply({same}, from, ArrayView(bytes, {6}), {.cast = IntegerCast::saturate});
  EXPECT_EQ(std::vector<int>(bytes, bytes + 6), (std::vector<int>{0, 255, 3, 0, 255, 0}));
}

/// float32 cannot represent 16777217: 32-bit integer inputs and integer outputs are computed in
/// float64.
TEST(ApplyArrays, ThePrecisionFollowsTheTypes) {
  const std::int32_t in[1] = {16777217};
  double out[1];
  const Stage same{.mask = Mask::line({1})};
  apply({same}, ArrayView<const std::int32_t>(in, {1}), ArrayView(out, {1}));
  EXPECT_EQ(out[0], 16777217);
  apply({same}, ArrayView<const std::int32_t>(in, {1}), ArrayView(out, {1}),
        {.precision = Precision::float32});
  EXPECT_EQ(out[0], 16777216);
}

TEST(ApplyArrays, TheOutputMayBeTheInput) {
  for (const Index side : {7, 300}) {
    const Points in = numbered({1, side, side});
    const Stage stage{.mask = Mask::grid(whole_taps(9), 3, 3)};
    const Points want = expected({stage}, in);
    std::vector<double> points = in.values;
    apply({stage}, ArrayView(points.data(), {side, side}), ArrayView(points.data(), {side, side}));
    EXPECT_EQ(points, want.values);
    points = in.values;
    points.resize(points.size() + 5);  // the output begins five points later
    apply({stage}, ArrayView(points.data(), {side, side}),
          ArrayView(points.data() + 5, {side, side}));
    points.erase(points.begin(), points.begin() + 5);
    EXPECT_EQ(points, want.values);
  }
}

TEST(ApplyArrays, TheThreadsOfTheCallerStayAsTheyAre) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(2);
  std::vector<float> in(100), out(100);
  const ArrayView<float> from(in.data(), {100}), to(out.data(), {100});
  apply({{.mask = Mask::line({1, 1})}}, from, to, {.threads = 3});
  EXPECT_EQ(omp_get_max_threads(), 2);
  EXPECT_THROW(apply({}, from, to, {.threads = 3}), ShapeError);
  EXPECT_EQ(omp_get_max_threads(), 2);
  omp_set_num_threads(before);
}

/// The message of the error of type Kind that a call throws.
template <class Kind, class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Kind& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another type: ") + error.what();
  }
  return "nothing was thrown";
}

void expect_refusal(const std::string& found, const std::string& words) {
  EXPECT_NE(found.find(words), std::string::npos) << found;
  EXPECT_EQ(found.find('\n'), std::string::npos) << found;
}

TEST(ApplyArrays, WrongUseIsNamed) {
  std::vector<double> in(24), out(24);
  const Stage stage{.mask = Mask::line({1, 2, 1})};
  const ArrayView<const double> from(in.data(), {4, 6});
  const ArrayView<double> to(out.data(), {4, 6});
  const auto usage = [&](const ArrayView<const double>& a, const ArrayView<double>& b,
                         const ApplyOptions& options, const std::string& words) {
    expect_refusal(refusal<UsageError>([&] { apply({stage}, a, b, options); }), words);
  };
  usage({nullptr, {4, 6}}, to, {}, "input.data is a null pointer");
  usage(from, {nullptr, {4, 6}}, {}, "output.data is a null pointer");
  usage({in.data(), {4, 0}}, to, {}, "input.shape = 4x0 has an axis of 0 points");
  usage(from, {out.data(), {-4, 6}}, {}, "output.shape = -4x6 has an axis of -4 points");
  usage({in.data(), {}}, to, {}, "input has no axes");
  usage({in.data(), {4, 6}, {8}}, to, {}, "input.strides has 1 numbers");
  usage(from, {out.data(), {4, 6}, {0, 8}}, {}, "output.strides = 0x8");
  usage(from, {out.data(), {4, 6}, {40, 8}}, {}, "output.strides = 40x8");
  usage(from, to, {.threads = 0}, "options.threads = 0");
  usage(from, to, {.threads = 1 << 30}, "options.threads = 1073741824");
  usage(from, to, {.axes = {2}}, "options.axes names axis 2");
  usage(from, to, {.axes = {0, -2}}, "options.axes names axis 0 of input twice");
  usage(from, to, {.axes = {0, 1, 0, 1}}, "more than three axes");
  expect_refusal(refusal<UsageError>([] { AxisList{1, 2, 3, 4, 5, 6, 7, 8, 9}; }),
                 "at most 8 axes");
  const auto shape = [&](const std::vector<Stage>& stages, const AxisList& extents,
                         const std::string& words) {
    expect_refusal(
        refusal<ShapeError>([&] { apply(stages, from, ArrayView(out.data(), extents)); }), words);
  };
  shape({stage}, {6, 4}, "output.shape = 6x4, but these stages make 4x6 of input.shape = 4x6");
  shape({stage}, {24}, "output.shape = 24");
  shape({{.mask = Mask::line({1, 2, 1}), .extent = Extent::valid}}, {4, 6}, "make 4x4");
  shape({}, {4, 6}, "a chain without stages");
  shape({{.name = "wide", .mask = Mask::line(whole_taps(7)), .extent = Extent::valid}}, {4, 6},
        "wide: ");
  const Stage along_batch{.name = "slow", .mask = Mask::line({1, 1}, batch_axis)};
  expect_refusal(refusal<UsageError>([&] {
                   apply({along_batch}, ArrayView<const double>(in.data(), {2, 2, 2, 3}),
                         ArrayView(out.data(), {2, 2, 2, 3}));
                 }),
                 "slow runs along batch, and input.shape = 2x2x2x3 has several axes");
}

/// A Filter and its copies give the same bits as apply(), for strided arrays and for several
/// outputs per input.
TEST(Filter, DoesWhatApplyDoes) {
  std::vector<float> in(2 * 6 * 9), out(3 * 6 * 9), expected(out.size());
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = float(k * 7919 % 255);
  const Stage bank{.bank = {Mask::line({1, 2}), Mask::line({3, 4}), Mask::line({5, 6})}};
  const ArrayView<const float> from(in.data(), {6, 9}, {9 * 4, 4}),
      strided(in.data(), {6, 9}, {18 * 4, 8});
  const Filter filter({bank}, {6, 9}, Element::float32);
  EXPECT_EQ(filter.output_shape(), (AxisList{3, 6, 9}));
  Filter copy = filter, moved = Filter({bank}, {6, 9}, Element::float32, Element::float32);
  copy = std::move(moved);
  for (const ArrayView<const float>& input : {from, strided})
    for (const Filter* each : {&filter, static_cast<const Filter*>(&copy)}) {
      (*each)(input, ArrayView(out.data(), {3, 6, 9}));
      apply({bank}, input, ArrayView(expected.data(), {3, 6, 9}));
      EXPECT_EQ(out, expected);
    }
}

TEST(Filter, OtherArraysAreRefused) {
  std::vector<float> in(24), out(24);
  std::vector<double> wide(24);
  const Filter filter({{.mask = Mask::line({1, 2, 1})}}, {4, 6}, Element::float32);
  const ArrayView<float> to(out.data(), {4, 6});
  const auto refused = [&](const AnyInput& a, const AnyOutput& b) {
    return refusal<WordsError>([&] { filter(a, b); });
  };
  expect_refusal(refused(ArrayView<const float>(in.data(), {6, 4}), to),
                 "input.shape = 6x4, and this filter was made for 4x6");
  expect_refusal(refused(ArrayView<const double>(wide.data(), {4, 6}), to), "input.element");
  expect_refusal(refused(ArrayView<const float>(in.data(), {4, 6}), ArrayView(wide.data(), {4, 6})),
                 "output.element");
  expect_refusal(refused(ArrayView<const float>(in.data(), {4, 6}), ArrayView(out.data(), {6, 4})),
                 "output.shape = 6x4, but these stages make 4x6");
  expect_refusal(
      refused(ArrayView<const float>(in.data(), {4, 6}), ArrayView(out.data(), {4, 6}, {0, 4})),
      "output.strides = 0x4");
  EXPECT_THROW(Filter({}, {4, 6}, Element::float32), ShapeError);
  EXPECT_THROW(Filter({{.mask = Mask::line({1})}}, {4, 6}, Element::float32, {}, {.threads = -1}),
               UsageError);
}

}  // namespace
}  // namespace stencil
