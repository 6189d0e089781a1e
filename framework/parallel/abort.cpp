#include "framework/parallel/abort.hpp"

#include <errno.h>  // program_invocation_short_name of glibc
#include <mpi.h>
#include <unistd.h>

#include <utility>

namespace stencil {
namespace {

std::function<bool()>& cleanup() {
  static std::function<bool()> function;
  return function;
}

}  // namespace

AbortCleanup::AbortCleanup(std::function<bool()> clear) {
  cleanup() = std::move(clear);
}

AbortCleanup::~AbortCleanup() {
  cleanup() = nullptr;
}

void abort_job(Status status, const std::string& message) {
  const bool is_speaker = !cleanup() || cleanup()();
  if (!is_speaker) ::sleep(5);  // the speaker ends this rank long before
  const std::string line = program_invocation_short_name + (": " + message) + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  // MPI_Abort alone prints lines of its own, but it is what ends every rank at once
  if (initialised && !finalised) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
  ::_exit(static_cast<int>(status));
}

}  // namespace stencil
