// stencil_run: reads a signal, a stack of signals or a grid, applies stencils, writes the result.
#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "drivers/job/job_inputs.hpp"
#include "drivers/job/print_out.hpp"
#include "drivers/job/run_inputs.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/node.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "framework/parallel/sound_start.hpp"
#include "io/hdf5/storage_environment.hpp"

namespace {

using namespace stencil;

/// --help and --version. @returns the exit status
int print_facts(Request request) {
  if (!will_be_first_rank()) return 0;
  try {
    print_out(request == Request::help ? help_text() : "stencil_run " STENCIL_VERSION "\n");
    return 0;
  } catch (const Error& error) {
    std::fputs(fmt::format("stencil_run: {}\n", error.what()).c_str(), stderr);
    return static_cast<int>(error.status());
  }
}

}  // namespace

int main(int argc, char** argv) {
  start_soundly(argv);
  omp_set_num_threads(std::min(omp_get_max_threads(), most_threads()));
  prepare_storage_environment();
  JobInputs inputs;
  std::exception_ptr wrong_words;  // reported later, where all ranks can agree on it
  try {
    const Request request = read_words(argc, argv, inputs.words);
    if (request != Request::run) return print_facts(request);  // needs neither a file nor MPI
  } catch (const Error&) {
    wrong_words = std::current_exception();
  }
  const auto before = [&] {
    if (wrong_words) std::rethrow_exception(wrong_words);
    gather(inputs);
  };
  return run_guarded(argc, argv, before,
                     [&](const Communicator& communicator) { run_inputs(communicator, inputs); });
}
