// stencil_run: reads a signal, a stack of signals or a grid, applies stencils, writes the result.
#include <omp.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "drivers/config/argument_keys.hpp"
#include "drivers/config/parse_config.hpp"
#include "drivers/config/words.hpp"
#include "drivers/job/job.hpp"
#include "drivers/job/prepare/share_words.hpp"
#include "drivers/stencil_run/program.hpp"
#include "drivers/survey/answer.hpp"
#include "framework/device/most_threads.hpp"
#include "framework/parallel/launcher.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "framework/parallel/sound_start.hpp"
#include "framework/parallel/stop_request.hpp"
#include "io/hdf5/storage_environment.hpp"

using namespace stencil;

namespace {
void run(const Communicator& communicator, Job& job) try {
  const Config& config = job.config();
  if (!config.run.checkpoint.empty() && !config.check) set_status_of_signals(Status::stopped);
  Program program(config);
  job.run(communicator.handle(), program);
} catch (const StoppedError& error) {
  throw Error(error.status(), error.what() + words_on_mpirun());
} catch (const std::nested_exception& error) {
  error.rethrow_nested();
}

}  // namespace

int main(int argc, char** argv) {
  const JobOptions options{.begun = std::chrono::steady_clock::now(), .stops_unsaved = false};
  start_soundly(argv);
  omp_set_num_threads(std::min(omp_get_max_threads(), most_threads()));
  prepare_storage_environment();
  ConfigWords words;
  std::exception_ptr wrong_words;  // thrown later, when all ranks can be notified of the error
  try {
    const Request request = read_words(argc, argv, words);
    // these requests do not need MPI
    if (request != Request::run) return answer(request, words.line);
  } catch (const Error&) {
    wrong_words = std::current_exception();
  }
  std::optional<Job> job;
  const auto make_job = [&] { job.emplace(parse_config(words), words.line.file, options); };
  const auto before = [&] {
    if (wrong_words) std::rethrow_exception(wrong_words);
    make_job();
    job->look_at_input();
  };
  return run_guarded(argc, argv, before, [&](const Communicator& communicator) {
    share(communicator, words);
    communicator.agree([&] {
      if (communicator.rank() > 0) make_job();
    });
    naming_keys([&] { run(communicator, *job); });
  });
}
