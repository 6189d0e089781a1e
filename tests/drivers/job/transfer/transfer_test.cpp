// Whole runs whose points are transferred in pieces between files and memory that is not the
// host's, compared with runs in host memory. Both write the same bytes; the runs with transfers
// need host memory for the pieces only.
#include <gtest/gtest.h>

#include <cstring>

#include "drivers/job/run/run.hpp"
#include "drivers/job/transfer/read_input.hpp"
#include "drivers/job/transfer/write_output.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/probe.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/other_memory.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

struct Kind {
  ElementType type;
  std::vector<hsize_t> chunk;  ///< chunk of the input and of the output
  std::string missing;
};

Problem problem_of(const testing::Scratch& scratch, const Kind& kind, const std::string& output,
                   Backend backend, int ranks) {
  Config config = testing::config_of("1 2 1; 2 5 2; 1 2 1");
  config.input.file = scratch / "in.h5";
  config.input.dataset = "/x";
  config.output.file = scratch / output;
  config.output.dataset = "/x";
  config.output.chunk.assign(kind.chunk.begin(), kind.chunk.end());
  if (!kind.chunk.empty()) config.output.gzip_level = 1;
  if (!kind.missing.empty()) config.missing.value = std::vector{parse_element_value(kind.missing)};
  config.stages[0].stride = {1, 2};
  return make_problem(config, probe_dataset(config.input.file, config.input.dataset), {}, ranks,
                      backend);
}

TEST(Transfer, GivesTheSameOutputInPieces) {
  const Communicator world(MPI_COMM_WORLD);
  const std::vector<Kind> kinds{{ElementType::float32, {}, ""},
                                {ElementType::float64, {7, 16}, "nan"},
                                {ElementType::int16, {}, "5"},
                                {ElementType::uint64, {50, 3}, ""}};
  for (const Kind& kind : kinds) {
    const auto scratch = testing::shared_scratch(world);
    world.agree([&] {
      if (world.rank() > 0) return;
      const auto file = testing::create_file(*scratch / "in.h5");
      testing::write_dataset(file, "x", {50, 40},
                             {.file_type = storage::native_type(kind.type), .chunk = kind.chunk},
                             [](Index i) { return double(i * 37 % 101); });
    });
    Problem problem;
    CpuExecutor host;
    Session on_host(MPI_COMM_WORLD, host);
    world.agree(
        [&] { problem = problem_of(*scratch, kind, "whole.h5", Backend::cpu, world.size()); });
    const RunSummary whole = run_plan(on_host, Plan(problem));
    testing::OtherMemory other;
    Session elsewhere(MPI_COMM_WORLD, other);
    world.agree(
        [&] { problem = problem_of(*scratch, kind, "pieces.h5", Backend::cuda, world.size()); });
    problem.piece_bytes = 600;
    ASSERT_GT(input_boxes(problem, 0).size(), 2u);
    ASSERT_GT(output_boxes(problem, 0).size(), 1u);
    const RunSummary pieces = run_plan(elsewhere, Plan(problem));
    EXPECT_EQ(other.open_ranges(), 0);
    for (const char* name : {"read", "upload", "stencil", "exchange", "interior", "rim", "compute",
                             "download", "write", "commit"})
      EXPECT_TRUE(other.ranges().contains(name)) << name;
    EXPECT_EQ(pieces.missing_in, whole.missing_in);
    EXPECT_EQ(pieces.missing_in > 0, kind.missing == "5");
    if (world.rank() == 0) {
      const auto in_pieces = testing::values_of(*scratch / "pieces.h5", "/x");
      const auto at_once = testing::values_of(*scratch / "whole.h5", "/x");
      ASSERT_EQ(in_pieces.size(), at_once.size());
      EXPECT_EQ(std::memcmp(in_pieces.data(), at_once.data(), at_once.size() * sizeof(double)), 0)
          << to_string(kind.type);
    }
    world.barrier();  // afterwards the folder is removed
  }
}

/// The plan of a run on a GPU counts host memory for pieces of input and output, not for whole
/// fields.
TEST(Transfer, HostMemoryOfAGpuRunIsThatOfAPiece) {
  Config config = testing::config_of("1 2 1");
  const DatasetFacts facts = testing::facts_of({Index{1} << 33});
  const Index gibibyte = Index{1} << 30;
  EXPECT_LT(make_problem(config, facts, {}, 1, Backend::cuda).memory_at_once, gibibyte);
  EXPECT_GT(make_problem(config, facts, {}, 1, Backend::cpu).memory_at_once, 64 * gibibyte);
}

}  // namespace
}  // namespace stencil
