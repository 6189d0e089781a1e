// Sessions as a user of the library has them: on separate communicators, with arrays as input and
// output, and with errors that every rank can catch.
#include "drivers/pipeline/session.hpp"

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "framework/device/fill_field.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/gather_field.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

SessionOptions options_under_test() {
  return {.backend = testing::backend_under_test(), .transport = testing::transport_under_test()};
}

double value_at(Index b, Index y, Index x) {
  return double((b * 31 + y * 17 + x * 5) % 23) - 11;
}

/// The difference of each point and its left neighbour, on a ring.
Stage difference() {
  Stage stage;
  stage.name = "difference";
  stage.mask = Mask::line({-1, 1});
  stage.boundary.rule.fill(BoundaryRule::wrap);
  return stage;
}

TEST(Session, ArraysInArraysOut) {
  Session session(MPI_COMM_WORLD, options_under_test());
  const Point shape{2, 5, 37};
  Pipeline<double> pipeline(session, {difference()}, shape);
  Field<double> input = pipeline.make_input();
  fill_field(input, session.executor(), value_at);
  const Field<double> output = pipeline.run(std::move(input));
  const std::vector<double> all =
      gather_field(session.communicator(), output, session.executor(), shape);
  if (session.rank() != 0) {
    EXPECT_TRUE(all.empty());
    return;
  }
  ASSERT_EQ(all.size(), 2u * 5 * 37);
  std::size_t at = 0;
  for (Index b = 0; b < 2; ++b)
    for (Index y = 0; y < 5; ++y)
      for (Index x = 0; x < 37; ++x)
        EXPECT_EQ(all[at++], value_at(b, y, x) - value_at(b, y, (x + 36) % 37)) << b << y << x;
}

/// Tests the functions that users with their own kernels need: fields, and exchanges of their
/// ghosts.
TEST(Session, FieldsAndExchangesOfItsRanks) {
  Session session(MPI_COMM_WORLD, options_under_test());
  const Decomposition blocks =
      choose_decomposition({1, 12, 20}, {{0, 1, 1}, {0, 1, 1}}, session.size());
  const Halo halo{{0, 1, 1}, {0, 1, 1}};
  Boundary boundary;
  boundary.rule.fill(BoundaryRule::wrap);
  auto exchange = session.make_exchange<float>(blocks, halo, boundary);
  Field<float> field = session.make_field<float>(blocks, halo);
  fill_field(field, session.executor(), value_at);
  exchange.exchange(field);
  testing::HostMirror<float> mirror(session.executor(), field);
  session.executor().synchronize();
  mirror.download();
  const Box ghosted = field.subdomain().ghosted();
  const FieldView<float> view = mirror.ghosted();
  for (Index y = 0; y < view.extent[1]; ++y)
    for (Index x = 0; x < view.extent[2]; ++x)
      EXPECT_EQ(view.at(0, y, x),
                value_at(0, (ghosted.first[1] + y + 12) % 12, (ghosted.first[2] + x + 20) % 20));
}

/// Sessions of parts of the ranks, at the same time as a session of all ranks.
TEST(Session, SeveralAtATime) {
  Session all(MPI_COMM_WORLD, options_under_test());
  Session alone(MPI_COMM_SELF, all.executor());
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.backend(), all.backend());
  EXPECT_THROW(alone.transport(), UsageError) << "nothing has been chosen";
  const Point shape{1, 4, 9};
  Pipeline<float> apart(alone, {difference()}, shape), together(all, {difference()}, shape);
  EXPECT_EQ(alone.transport().name, "host");
  Field<float> one = apart.make_input(), part = together.make_input();
  fill_field(one, all.executor(), value_at);
  fill_field(part, all.executor(), value_at);
  const std::vector<float> expected =
      gather_field(alone.communicator(), apart.run(std::move(one)), all.executor(), shape);
  const std::vector<float> found = gather_field(all.communicator(), together.run(std::move(part)),
                                                all.executor(), shape, all.size() - 1);
  if (all.rank() == all.size() - 1) {
    EXPECT_EQ(found, expected);
  }
}

TEST(Session, TakesItsShareOfTheThreadsOrWhatItIsTold) {
  SessionOptions options = options_under_test();
  options.threads = 3;
  const Session session(MPI_COMM_WORLD, options);
  EXPECT_EQ(session.node().ranks, session.size());
  EXPECT_EQ(omp_get_max_threads(), 3);
  omp_set_num_threads(1);
}

/// Errors are thrown on every rank, and the ranks can then try again.
TEST(Session, ThrowsOnEveryRankAlike) {
  if (testing::backend_under_test() == Backend::cpu) {
    Session session(MPI_COMM_WORLD, {.backend = Backend::cpu, .transport = TransportRequest::nccl});
    EXPECT_THROW(session.connect(), Error);
  }
  Session session(MPI_COMM_WORLD, options_under_test());
  EXPECT_FALSE(Communicator::has_agreed_on_error());
  EXPECT_THROW(Pipeline<float>(session, std::vector<Stage>{}, Point{1, 1, 8}), Error);
  EXPECT_FALSE(Communicator::has_agreed_on_error()) << "its handler is over";
  Stage steps = difference();
  steps.steps = 3;
  steps.stride = {1, 2};
  try {
    Pipeline<float> pipeline(session, {steps}, {1, 1, 8});
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(Communicator::has_agreed_on_error());
    EXPECT_EQ(error.status(), Status::words);
    EXPECT_EQ(std::string(error.what()).rfind("difference: ", 0), 0u) << error.what();
  }
  Pipeline<float> pipeline(session, {difference()}, {1, 1, 8});
  EXPECT_EQ(pipeline.chain().steps(), 1);
}

std::string refusal_of(Session& session, const Stage& stage) {
  try {
    Pipeline<float> pipeline(session, {stage}, {1, 6, 8});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Mistakes in C++ calls are refused, instead of reading memory outside of the field.
TEST(Session, RefusesStagesAndFieldsThatDoNotFit) {
  Session session(MPI_COMM_WORLD, options_under_test());
  EXPECT_NE(refusal_of(session, Stage{}).find("without taps"), std::string::npos);
  Pipeline<float> small(session, {difference()}, {1, 1, 8}),
      large(session, {difference()}, {1, 1, 80});
  EXPECT_THROW(large.run(small.make_input()), Error);
  Field<float> input = small.make_input();
  fill_field(input, session.executor(), value_at);
  const Field<float> output = small.run(std::move(input));
  EXPECT_THROW(session.gather(output, {1, 1, 7}), Error);
  EXPECT_THROW(session.gather(output, {1, 2, 8}), Error);
}

TEST(Session, RefusesNoCommunicator) {
  EXPECT_THROW(Session session(MPI_COMM_NULL), MachineError);
}

/// An executor that cannot allocate memory while `is_out`.
struct Scarce : CpuExecutor {
  bool is_out = false;
  Memory allocate(std::size_t bytes) override {
    if (is_out) throw MemoryError("none left");
    return CpuExecutor::allocate(bytes);
  }
};

/// One rank has no memory for a field; when memory is available again, the caller continues.
TEST(Session, AnotherAttemptAfterAnError) {
  Scarce executor;
  Session session(MPI_COMM_WORLD, executor);
  Stage stage = difference();
  stage.steps = 50;
  const Point shape{1, 12, 600};
  Pipeline<float> pipeline(session, {stage}, shape);
  const auto started = [&] {
    Field<float> input = pipeline.make_input();
    fill_field(input, executor, value_at);
    return pipeline.start(std::move(input));
  };
  State<float> whole = started(), interrupted = started();
  pipeline.advance(whole, 50);
  executor.is_out = session.rank() == session.size() - 1;
  EXPECT_THROW(pipeline.advance(interrupted, 50), Error);
  EXPECT_EQ(interrupted.steps_done, 0);
  executor.is_out = false;
  pipeline.advance(interrupted, 50);
  EXPECT_EQ(session.gather(interrupted.field, shape), session.gather(whole.field, shape));
}

/// An exception of any type on one rank is thrown on all ranks.
TEST(Session, AgreesOnExceptionsOfAnyType) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_THROW(world.agree([&] {
    if (world.rank() == 0) throw 42;
  }),
               Error);
}

}  // namespace
}  // namespace stencil
