#include "framework/parallel/run_guarded.hpp"

#include <errno.h>  // program_invocation_short_name of glibc

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>

#include "framework/device/watchdog.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/end_on_signal.hpp"
#include "framework/parallel/last_word.hpp"
#include "framework/parallel/launcher.hpp"

namespace stencil {
namespace {

/// Returns whether all ranks have agreed on an error. The type of such an error is Error itself,
/// not a derived class; see Communicator::agree.
bool is_agreed(const Error& error) {
  return typeid(error) == typeid(Error);
}

/// Throws if srun started several tasks but MPI sees only one: each task would do the whole job.
void refuse_lost_ranks(const Communicator& communicator) {
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  const bool by_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  if (communicator.size() == 1 && !by_mpirun && tasks != nullptr && std::atoi(tasks) > 1)
    throw MachineError(std::string("srun started ") + tasks +
                       " tasks, but MPI sees one: use srun --mpi=pmix, or mpirun");
}

/// Prints a line if no line was printed before. The launcher may end ranks with a signal after the
/// first rank has ended with an error; the signal then prints no second line.
void print_line(const std::string& message) {
  if (!take_last_word()) return;
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, message.c_str());
  std::fflush(stderr);
}

}  // namespace

bool will_be_first_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* value = std::getenv(name)) return std::strcmp(value, "0") == 0;
  return true;
}

int run_guarded(int argc, char** argv, const std::function<void()>& before,
                const std::function<void(const Communicator&)>& body) {
  if (const int status = refuse_launch_without_pmi(); status != 0) return status;
  start_alone_quickly();
  std::exception_ptr early;
  const bool ran_early = will_be_first_rank();
  end_on_signal(ran_early);
  const auto run_before = [&] {
    try {
      before();
    } catch (...) {
      early = std::current_exception();
    }
  };
  if (ran_early) run_before();
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return static_cast<int>(Status::machine);
  // if a rank stops waiting for its GPU, the whole job must end, because other ranks may be waiting
  // for this rank
  on_stall([](const std::string& message) { abort_job(Status::machine, message); });
  ask_for_reports();
  int status = 0;
  try {
    const Communicator communicator(MPI_COMM_WORLD);
    share_last_word(communicator.handle());
    communicator.agree([&] {
      if (communicator.rank() != 0) return;
      refuse_lost_ranks(communicator);
      if (!ran_early) run_before();  // the variables had predicted a different rank 0
      if (early) std::rethrow_exception(early);
    });
    body(communicator);
  } catch (const Error& error) {
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!is_agreed(error) && size > 1) abort_job(error.status(), error.what());
    if (rank == 0) print_line(line_of(error.status(), error.what()));
    status = static_cast<int>(error.status());
  } catch (const std::bad_alloc&) {
    abort_job(Status::machine, "out of memory: use more ranks or nodes, or a smaller input");
  } catch (const std::exception& error) {
    abort_job(Status::bug, error.what());
  }
  MPI_Finalize();
  return status;
}

}  // namespace stencil
