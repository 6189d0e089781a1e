// main() of tests that run on several ranks: a failure on any rank is a failure of the program on
// all ranks, and only rank 0 prints the passed tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#include "framework/device/device_facts.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

/// The reason why the test cannot run on a GPU here; nullptr if it can.
const char* lacking_gpu() {
  if (testing::backend_under_test() != Backend::cuda) return nullptr;
  const std::size_t gpus = gpu_facts().size();
  if (gpus == 0) return "here, or a CPU-only build";
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const TransportRequest transport = testing::transport_under_test();
  if ((transport == TransportRequest::peer || transport == TransportRequest::nccl) &&
      gpus < std::size_t(ranks))
    return "for each rank, as this transport of halos wants it";
  return nullptr;
}

}  // namespace
}  // namespace stencil

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    class FailuresOnly : public ::testing::EmptyTestEventListener {
      void OnTestPartResult(const ::testing::TestPartResult& result) override {
        if (result.failed())
          std::fprintf(stderr, "%s:%d: %s\n", result.file_name() ? result.file_name() : "?",
                       result.line_number(), result.message());
      }
    };
    listeners.Append(new FailuresOnly);
  }
  if (const char* lacking = stencil::lacking_gpu()) {
    if (rank == 0) std::printf("SKIPPED: no GPU %s\n", lacking);
    MPI_Finalize();
    return 0;
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
