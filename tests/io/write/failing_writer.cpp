// Writes one output as a program does, for tests that make the storage fail.
//
//     failing_writer FILE plain|gzip ROWS [limit BYTES | fill | abort RANK | memory |
//     begin MILLISECONDS]
//
// limit: no file may grow beyond that many bytes, as under a quota. fill: when the output has been
// created, another file fills the disk. abort: one rank fails for an unrelated reason. memory: the
// program fails if writing takes more memory than writing_bytes() predicts. begin: a signal arrives
// while outputs are created.
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "framework/grid/decomposition.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "io/write/blocks/writing_memory.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/memory_watch.hpp"
#include "tests/io/shared_scratch.hpp"

namespace {

using namespace stencil;

void limit_files(Index bytes) {
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Occupies all free space of a disk until this process ends.
void fill_disk(const std::string& folder) {
  const std::string name = folder + "/filler";
  const int descriptor = ::open(name.c_str(), O_CREAT | O_WRONLY, 0600);
  ::unlink(name.c_str());
  const std::vector<char> block(4096, 'x');
  while (::write(descriptor, block.data(), block.size()) > 0) {
  }
}

OutputSpec spec_of(char** argv) {
  OutputSpec spec;
  spec.file = argv[1];
  spec.dataset = "data";
  spec.form = NormalForm({std::atoll(argv[3]), 1024}, {0});
  if (std::strcmp(argv[2], "gzip") == 0) {
    spec.chunk = {64, 256};
    spec.gzip_level = 1;
  }
  return spec;
}

/// Creates one output after the other, next to a large one whose removal takes time, until every
/// rank receives a signal; the rank with the highest number receives it first.
void begin_outputs(const Communicator& all, const OutputSpec& spec, Index milliseconds) {
  const OutputFile large(all, spec);
  OutputSpec small = spec;
  small.file += ".small";
  small.form = NormalForm({10, 1024}, {0});
  all.barrier();
  const auto wait = std::chrono::milliseconds(milliseconds) +
                    std::chrono::microseconds(200) * (all.size() - all.rank());
  std::thread([wait] {
    std::this_thread::sleep_for(wait);
    ::kill(::getpid(), SIGTERM);
  }).detach();
  for (;;) OutputFile output(all, small);
}

void write_output(const Communicator& all, const OutputSpec& spec, const std::string& trouble,
                  Index number) {
  const Box mine = Decomposition(spec.form.shape(), {1, all.size(), 1}).owned(all.rank());
  const testing::OwnedBox<float> owned(spec.form, mine, [](Index i) {  // does not compress
    return static_cast<double>((static_cast<std::uint64_t>(i) * 6364136223846793005u) >> 40);
  });
  const testing::MemoryWatch memory;
  OutputFile output(all, spec);
  if (trouble == "fill" && all.rank() == 0)
    fill_disk(std::filesystem::path(spec.file).parent_path());
  all.barrier();
  if (trouble == "abort" && all.rank() == number) abort_job(Status::machine, "gave up");
  output.write<float>(mine, owned.view);
  output.commit();
  if (trouble == "memory" && memory.growth() > writing_bytes(spec))
    throw MachineError("writing took " + std::to_string(memory.growth()) +
                       " bytes, predicted were " + std::to_string(writing_bytes(spec)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const std::string trouble = argc > 4 ? argv[4] : "";
  const Index number = argc > 5 ? std::atoll(argv[5]) : 0;
  const auto body = [&](const Communicator& all) {
    if (trouble == "limit") limit_files(number);
    if (trouble == "begin") begin_outputs(all, spec_of(argv), number);
    write_output(all, spec_of(argv), trouble, number);
  };
  return run_guarded(
      argc, argv, [] {}, body);
}
