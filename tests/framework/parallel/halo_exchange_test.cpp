// Every ghost of every rank is compared with the value that the boundary rule gives for its global
// index. The value of each point is its global index, so that swapped neighbours, shifts and
// mirrored runs are detected.
#include "framework/parallel/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "framework/grid/error.hpp"
#include "framework/parallel/make_transport.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

constexpr BoundaryRule all_rules[] = {BoundaryRule::reflect, BoundaryRule::mirror,
                                      BoundaryRule::nearest, BoundaryRule::wrap,
                                      BoundaryRule::constant};

/// Returns the transport of the whole program. As in a run, there is only one transport, because
/// NCCL takes a while to start. It is never freed, because MPI is finalized before static objects
/// are destroyed.
Transport& transport_for(Executor& executor) {
  static const auto* world = new Communicator(MPI_COMM_WORLD);
  static const auto* choice =
      new TransportChoice(make_transport(testing::transport_under_test(), *world, executor));
  return *choice->transport;
}

double value_at(const Point& p) {
  return 1e6 * double(p[0]) + 1e3 * double(p[1]) + double(p[2]);
}

/// The value of a point of the array, which the boundary rules extend infinitely.
double extended(Point p, const Point& shape, const Boundary& boundary) {
  for (int axis = 0; axis < axes; ++axis) {
    const auto source = source_index(boundary.rule[axis], p[axis], shape[axis]);
    if (!source) return boundary.value;
    p[axis] = *source;
  }
  return value_at(p);
}

template <class T>
void check_exchange(const Decomposition& decomposition, const Halo& halo,
                    const Boundary& boundary) {
  const Communicator world(MPI_COMM_WORLD);
  if (decomposition.blocks() > world.size()) return;
  Executor& executor = testing::executor_under_test(world.rank());
  const Subdomain subdomain{decomposition.owned(world.rank()), halo};
  Field<T> field(executor, subdomain);
  testing::HostMirror<T> mirror(executor, field);
  const FieldView<T> all = mirror.ghosted();
  HaloExchange<T> exchange(world, decomposition, halo, boundary, executor, transport_for(executor));
  for (int repeat = 0; repeat < 2; ++repeat) {  // persistent requests must work more than once
    const T shift = static_cast<T>(repeat * 7);
    for (Index b = 0; b < all.extent[0]; ++b)
      for (Index y = 0; y < all.extent[1]; ++y)
        for (Index x = 0; x < all.extent[2]; ++x) {
          const Point global = subdomain.global({b, y, x});
          all.at(b, y, x) = subdomain.owned.contains(global)
                                ? static_cast<T>(value_at(global)) + shift
                                : std::numeric_limits<T>::quiet_NaN();
        }
    mirror.upload();
    exchange.start(field);
    const std::array<bool, axes> pending = exchange.pending();
    int wrong = 0;
    const auto check = [&](const Point& global, T value) {
      bool outside_constant = false;
      for (int axis = 0; axis < axes; ++axis)
        outside_constant |= boundary.rule[axis] == BoundaryRule::constant &&
                            !Interval{0, decomposition.shape()[axis]}.contains(global[axis]);
      const T expected = static_cast<T>(extended(global, decomposition.shape(), boundary)) +
                         (outside_constant ? T{0} : shift);
      if (!(value == expected) && wrong++ < 3)
        ADD_FAILURE() << "rank " << world.rank() << " of grid " << to_string(decomposition.grid())
                      << " rule " << to_string(boundary.rule[1]) << '/'
                      << to_string(boundary.rule[2]) << " point " << global[0] << ' ' << global[1]
                      << ' ' << global[2] << ": " << value << " instead of " << expected;
    };
    const auto check_all = [&](const std::array<bool, axes>& skipped) {
      for (Index b = 0; b < all.extent[0]; ++b)
        for (Index y = 0; y < all.extent[1]; ++y)
          for (Index x = 0; x < all.extent[2]; ++x) {
            const Point global = subdomain.global({b, y, x});
            bool not_yet = false;
            for (int axis = 0; axis < axes; ++axis)
              not_yet |= skipped[axis] && !subdomain.owned.along(axis).contains(global[axis]);
            if (!not_yet) check(global, all.at(b, y, x));
          }
    };
    mirror.download();
    check_all(pending);  // the points that are complete after start()
    exchange.finish();
    mirror.download();
    check_all({});
  }
}

TEST(HaloExchange, EveryGhostOfEveryRuleAndGrid) {
  const Communicator world(MPI_COMM_WORLD);
  for (BoundaryRule rule_y : all_rules)
    for (BoundaryRule rule_x : all_rules)
      for (Index rows = 1; rows <= world.size(); ++rows) {
        if (world.size() % rows != 0) continue;
        const Boundary boundary{BoundaryRule::constant, rule_y, rule_x, -5};
        check_exchange<double>(Decomposition({2, 11, 13}, {1, rows, world.size() / rows}),
                               {{0, 2, 1}, {0, 1, 3}}, boundary);
      }
}

TEST(HaloExchange, HaloWiderThanTheBlocksAndThanTheWorld) {
  const Communicator world(MPI_COMM_WORLD);
  for (BoundaryRule rule : all_rules)
    for (Index extent : {1, 2, 5, 9}) {
      const Boundary boundary{rule, 3};
      check_exchange<float>(Decomposition({1, 1, extent}, {1, 1, world.size()}),
                            {{0, 0, 23}, {0, 0, 12}}, boundary);
      check_exchange<float>(Decomposition({1, extent, 3}, {1, world.size(), 1}),
                            {{0, 7, 4}, {0, 21, 0}}, boundary);
    }
}

TEST(HaloExchange, AlongTheBatchAxisToo) {
  const Communicator world(MPI_COMM_WORLD);
  for (BoundaryRule rule : all_rules)
    check_exchange<double>(Decomposition({7, 4, 3}, {world.size(), 1, 1}), {{2, 1, 0}, {1, 0, 1}},
                           {rule, rule, BoundaryRule::wrap, 1});
}

TEST(HaloExchange, UnevenBlocksOfAStridedStage) {
  const Communicator world(MPI_COMM_WORLD);
  for (Index stride : {2, 5, 9}) {
    std::array<AxisSampling, axes> sampling{};
    sampling[x_axis] = make_sampling(Extent::full, 31, 4, 2, stride);
    const Decomposition output = Decomposition({1, 1, 31}, {1, 1, world.size()}).sampled(sampling);
    for (BoundaryRule rule : all_rules)
      check_exchange<double>(output, {{0, 0, 3}, {0, 0, 2}}, {rule, 9});
  }
}

TEST(HaloExchange, RanksBeyondTheLastBlockStayIdle) {
  check_exchange<float>(Decomposition({1, 4, 6}), {{0, 1, 1}, {0, 1, 1}}, {});
}

/// Adopted memory is treated like that of a field that owns its memory; the memory between the
/// rows does not change.
TEST(HaloExchange, FillsTheGhostsOfAdoptedMemory) {
  const Communicator world(MPI_COMM_WORLD);
  Executor& executor = testing::executor_under_test(world.rank());
  if (!executor.is_host()) GTEST_SKIP() << "the adopted memory is the host's";
  const Halo halo{{0, 1, 3}, {0, 2, 0}};
  const Boundary boundary{BoundaryRule::constant, BoundaryRule::wrap, BoundaryRule::mirror};
  const Decomposition decomposition({2, 3 * Index{world.size()} + 1, 9}, {1, world.size(), 1});
  const Subdomain subdomain{decomposition.owned(world.rank()), halo};
  const Point extent = subdomain.local_extent();
  const Index row_pitch = extent[2] + 2, batch_pitch = row_pitch * extent[1] + 1;
  constexpr double guard = -77;
  std::vector<double> values(std::size_t(batch_pitch * extent[0] + 1), guard);
  const FieldView<double> points{values.data() + 1, extent, batch_pitch, row_pitch};
  auto adopted = Field<double>::adopt(subdomain, points);
  Field<double> own(executor, subdomain);
  for (Field<double>* field : {&adopted, &own})
    for (Index b = 0; b < 2; ++b)
      for (Index y = subdomain.owned.first[1]; y < subdomain.owned.last[1]; ++y)
        for (Index x = 0; x < 9; ++x)
          field->owned().at(b, y - subdomain.owned.first[1], x) = value_at({b, y, x});
  HaloExchange<double> exchange(world, decomposition, halo, boundary, executor,
                                transport_for(executor));
  exchange.exchange(adopted);
  exchange.exchange(own);
  for (Index b = 0; b < extent[0]; ++b)
    for (Index y = 0; y < extent[1]; ++y)
      for (Index x = 0; x < extent[2]; ++x) {
        ASSERT_EQ(points.at(b, y, x), own.ghosted().at(b, y, x)) << b << ' ' << y << ' ' << x;
        points.at(b, y, x) = guard;
      }
  EXPECT_EQ(values, std::vector<double>(values.size(), guard));
}

TEST(HaloExchange, OwnedPointsMayBeReadBetweenStartAndFinish) {
  const Communicator world(MPI_COMM_WORLD);
  Executor& executor = testing::executor_under_test(world.rank());
  const Halo halo{{0, 1, 0}, {0, 1, 0}};
  const Decomposition decomposition({1, 4 * Index{world.size()}, 8}, {1, world.size(), 1});
  Field<double> field(executor, {decomposition.owned(world.rank()), halo});
  testing::HostMirror<double> mirror(executor, field);
  const FieldView<double> owned = mirror.owned();
  for (Index y = 0; y < 4; ++y)
    for (Index x = 0; x < 8; ++x) owned.at(0, y, x) = world.rank();
  HaloExchange<double> exchange(world, decomposition, halo, {}, executor, transport_for(executor));
  mirror.upload();
  exchange.start(field);
  mirror.download();
  double sum = 0;
  for (Index y = 0; y < 4; ++y)
    for (Index x = 0; x < 8; ++x) sum += owned.at(0, y, x);
  exchange.finish();
  mirror.download();
  EXPECT_EQ(sum, 32.0 * world.rank());
  EXPECT_EQ(exchange.pending()[y_axis], world.size() > 1);
  const double above = mirror.ghosted().at(0, 0, 0);
  EXPECT_EQ(above, world.rank() == 0 ? 0 : world.rank() - 1);
}

/// An array whose rows are divided among all ranks, with fields and exchanges that do not fit each
/// other.
class HaloExchangeMisuse : public ::testing::Test {
 protected:
  const Communicator world_{MPI_COMM_WORLD};
  Executor& executor_ = testing::executor_under_test(world_.rank());
  const Decomposition rows_{{1, 12, 10}, {1, world_.size(), 1}};
  const Halo one_{{0, 1, 1}, {0, 1, 1}}, two_{{0, 2, 2}, {0, 2, 2}};

  Field<double> field(const Decomposition& blocks, const Halo& halo) {
    return {executor_, {blocks.owned(world_.rank()), halo}};
  }
  HaloExchange<double> exchange(const Decomposition& blocks, const Halo& halo) {
    return {world_, blocks, halo, {}, executor_, transport_for(executor_)};
  }
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::words);
      return error.what();
    }
    return "nothing was thrown";
  }
};

TEST_F(HaloExchangeMisuse, FieldsOfAnotherHaloOrDecomposition) {
  Field<double> narrow = field(rows_, one_), wide = field(rows_, two_);
  HaloExchange<double> by_two = exchange(rows_, two_), by_one = exchange(rows_, one_);
  EXPECT_NE(refusal([&] { by_two.exchange(narrow); }).find("halo of low 0x1x1"), std::string::npos);
  EXPECT_NE(refusal([&] { by_one.exchange(wide); }).find("halo of low 0x2x2"), std::string::npos);
  EXPECT_NO_THROW(by_one.exchange(narrow));
  EXPECT_NE(refusal([&] { by_one.exchange(wide); }).find("same decomposition"), std::string::npos)
      << "in a later call, too";
  EXPECT_NO_THROW(by_one.exchange(narrow));
}

/// Rank 0 has the same rows in both decompositions. If it did not throw, too, it would wait for
/// messages of the other ranks.
TEST_F(HaloExchangeMisuse, FieldsThatFitOnSomeRanks) {
  if (world_.size() < 3) GTEST_SKIP() << "on three ranks and more";
  std::array<AxisSampling, axes> sampling{};
  for (std::size_t axis = 0; axis < axes; ++axis)
    sampling[axis] = make_sampling(Extent::same, rows_.shape()[axis], 1, 0, 1);
  sampling[y_axis] = make_sampling(Extent::valid, 12, 2, 0, 1);
  const Decomposition shorter = rows_.sampled(sampling);
  ASSERT_EQ(shorter.owned(0), rows_.owned(0));
  Field<double> other = field(shorter, one_);
  HaloExchange<double> by_one = exchange(rows_, one_);
  EXPECT_NE(refusal([&] { by_one.exchange(other); }).find("same decomposition"), std::string::npos);
}

TEST_F(HaloExchangeMisuse, StartsAndFinishesInAnotherOrder) {
  Field<double> first = field(rows_, one_), second = field(rows_, one_);
  HaloExchange<double> by_one = exchange(rows_, one_);
  EXPECT_NE(refusal([&] { by_one.finish(); }).find("call start() first"), std::string::npos);
  by_one.start(first);
  EXPECT_NE(refusal([&] { by_one.start(second); }).find("call finish() first"), std::string::npos);
  EXPECT_NO_THROW(by_one.finish()) << "that of the first field";
  EXPECT_THROW(by_one.finish(), UsageError);
  EXPECT_NO_THROW(by_one.exchange(second));
}

TEST_F(HaloExchangeMisuse, FieldsThatWereMovedFrom) {
  HaloExchange<double> by_one = exchange(rows_, one_);
  Field<double> first = field(rows_, one_), second = std::move(first);
  EXPECT_NE(refusal([&] { by_one.exchange(first); }).find("moved from"), std::string::npos);
  EXPECT_NO_THROW(by_one.exchange(second));
}

TEST_F(HaloExchangeMisuse, MoreBlocksThanRanksAndNegativeHalos) {
  const Decomposition many({1, 12, 10}, {1, 2 * world_.size(), 1});
  EXPECT_NE(refusal([&] { exchange(many, one_); }).find("blocks need as many ranks"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              exchange(rows_, {{0, 0, 0}, {0, 0, -3}});
            }).find("halo.high has -3"),
            std::string::npos);
}

}  // namespace
}  // namespace stencil
