// Writes one output as a program does, for tests that let the storage fail.
//
//     failing_writer FILE plain|gzip ROWS [limit BYTES]
//
// With a limit no file may grow beyond that many bytes: what a quota or a full disk does.
#include <mpi.h>
#include <sys/resource.h>

#include <cstring>

#include "framework/grid/decomposition.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "tests/io/shared_scratch.hpp"

int main(int argc, char** argv) {
  using namespace stencil;
  if (argc < 4) return 1;
  const std::string file = argv[1];
  const bool is_packed = std::strcmp(argv[2], "gzip") == 0;
  const Index rows = std::atoll(argv[3]);
  const auto body = [&](const Communicator& all) {
    if (argc > 5) {
      const rlim_t bytes = static_cast<rlim_t>(std::atoll(argv[5]));
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    OutputSpec spec;
    spec.file = file;
    spec.dataset = "data";
    spec.form = NormalForm({rows, 1024}, {0});
    if (is_packed) {
      spec.chunk = {64, 256};
      spec.gzip_level = 1;
    }
    const Box mine = Decomposition(spec.form.shape(), {1, all.size(), 1}).owned(all.rank());
    const testing::OwnedBox<float> owned(spec.form, mine, [](Index i) {  // does not compress
      return static_cast<double>((static_cast<std::uint64_t>(i) * 6364136223846793005u) >> 40);
    });
    OutputFile output(all, spec);
    output.write<float>(mine, owned.view);
    output.commit();
  };
  return run_guarded(
      argc, argv, [] {}, body);
}
