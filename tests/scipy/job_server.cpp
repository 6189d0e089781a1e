// Runs one job after another, as stencil_run would run each of them, without a start of the program
// and of MPI for every job.
//
//   mpirun -n RANKS job_server FOLDER
//
// Each rank reads requests from the named pipe FOLDER/requests.RANK, in which it waits without
// using a processor. A request consists of texts that end with a zero byte, the same for every
// rank: the number of the following texts, the working folder of the job, and the arguments of
// stencil_run. What the job prints is added to the files FOLDER/stdout and FOLDER/stderr. Rank 0
// then writes the status of the job to the named pipe FOLDER/statuses. An error that only some
// ranks have ends the server as it would end stencil_run. The server ends at the end of the
// requests.
#include <errno.h>  // program_invocation_short_name of glibc
#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "drivers/config/argument_keys.hpp"
#include "drivers/config/parse_config.hpp"
#include "drivers/config/words.hpp"
#include "drivers/job/job.hpp"
#include "drivers/job/prepare/share_words.hpp"
#include "drivers/job/report/printer.hpp"
#include "drivers/survey/answer.hpp"
#include "framework/device/most_threads.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "framework/parallel/sound_start.hpp"
#include "io/hdf5/storage_environment.hpp"

using namespace stencil;

namespace {

/// During the lifetime of the object, stdout and stderr are written to two files of these names.
class Redirected {
 public:
  explicit Redirected(const std::filesystem::path& folder) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      saved_[stream] = ::dup(stream);
      const auto path = folder / (stream == STDOUT_FILENO ? "stdout" : "stderr");
      const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
      ::dup2(file, stream);
      ::close(file);
    }
  }
  ~Redirected() {
    std::cout.flush();
    std::fflush(nullptr);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      ::dup2(saved_[stream], stream);
      ::close(saved_[stream]);
    }
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int saved_[3]{};
};

/// Runs a job in the same way as stencil_run does between MPI_Init and MPI_Finalize.
int run_job(const Communicator& communicator, const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{program_invocation_short_name};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const JobOptions options{.begun = std::chrono::steady_clock::now(), .stops_unsaved = false};
  ConfigWords words;
  std::optional<Job> job;
  const auto make_job = [&] { job.emplace(parse_config(words), words.line.file, options); };
  std::string answered;
  communicator.agree([&] {
    if (communicator.rank() > 0) return;
    const Request request = read_words(static_cast<int>(argv.size()), argv.data(), words);
    if (request != Request::run) {
      answered = std::to_string(answer(request, words.line));
      return;
    }
    make_job();
    job->look_at_input();
  });
  communicator.broadcast(answered, 0);
  if (!answered.empty()) return std::stoi(answered);
  share(communicator, words);
  communicator.agree([&] {
    if (communicator.rank() > 0) make_job();
  });
  naming_keys([&] {
    Printer printer(job->config());
    try {
      job->run(communicator.handle(), printer);
    } catch (const std::nested_exception& error) {
      error.rethrow_nested();
    }
  });
  return 0;
}

/// Runs a job, and returns its status. Errors on which not all ranks have agreed are thrown.
int status_of_job(const Communicator& communicator, const std::vector<std::string>& arguments) try {
  return run_job(communicator, arguments);
} catch (const Error& error) {
  if (!Communicator::has_agreed_on_error() && communicator.size() > 1) throw;
  if (communicator.rank() == 0)
    std::fprintf(stderr, "%s: %s\n", program_invocation_short_name,
                 line_of(error.status(), error.what()).c_str());
  return static_cast<int>(error.status());
}

/// Returns the texts of the next request; an empty list at the end of the requests.
std::vector<std::string> next_request(std::istream& requests) {
  std::vector<std::string> texts;
  std::string text;
  if (!std::getline(requests, text, '\0')) return texts;
  texts.resize(std::stoul(text));
  for (std::string& of_texts : texts) std::getline(requests, of_texts, '\0');
  return texts;
}

void serve(const Communicator& communicator, const std::filesystem::path& folder) {
  std::ifstream requests(folder / ("requests." + std::to_string(communicator.rank())));
  std::ofstream statuses;
  if (communicator.rank() == 0) statuses.open(folder / "statuses");
  while (true) {
    const std::vector<std::string> request = next_request(requests);
    if (request.empty()) return;
    std::filesystem::current_path(request.front());
    int status = 0;
    {
      const Redirected redirected(folder);
      status = status_of_job(communicator, {request.begin() + 1, request.end()});
    }
    communicator.barrier();  // every rank has written what it prints
    std::filesystem::current_path(folder);
    if (communicator.rank() == 0) statuses << status << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  start_soundly(argv);
  omp_set_num_threads(std::min(omp_get_max_threads(), most_threads()));
  prepare_storage_environment();
  static char name[] = "stencil_run";
  program_invocation_short_name = name;
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  return run_guarded(
      argc, argv, [] {}, [&](const Communicator& communicator) { serve(communicator, folder); });
}
