// A user's program: jobs, which do the work of stencil_run, on communicators of this program. The
// job runs twice, is stopped by its listener and by a thread, and is continued. outside.py compares
// the lines between the marks with docs/library.md.
#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stencil/io.hpp>
#include <stencil/job.hpp>
#include <stencil/stencil.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace stencil;

namespace {

Index wrong = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  ++wrong;
}

std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Writes a dataset /x of 60 x 50 points.
void write_input(MPI_Comm ranks, const std::string& file) {
  Session session(ranks, {.backend = Backend::cpu});
  const NormalForm form({60, 50}, {0, 1});
  Field<float> field =
      session.make_field<float>(Decomposition(form.shape(), {1, session.size(), 1}), {});
  session.fill(field, [](Index, Index y, Index x) { return float((y * 50 + x) * 37 % 101); });
  OutputSpec spec;
  spec.file = file;
  spec.dataset = "/x";
  spec.form = form;
  OutputFile output(session.communicator(), spec);
  output.write<float>(field.subdomain().owned, field.owned());
  output.commit();
}

/// Counts the steps, so that another thread can stop the job when a step is done.
struct Steps : Listener {
  void step(Index step) override {
    done = step;
    if (job && done == 3) std::thread([this] { job->stop(); }).join();
  }

  Job* job = nullptr;
  Index done = 0;
};

Config config_of(const std::string& input, const std::string& output) {
  // example
  Config config;
  config.input.file = input;
  config.input.dataset = "/x";
  config.output.file = output;
  StageConfig smooth, heat;
  smooth.name = "stencil.smooth";
  smooth.mask = read_mask("gaussian");  // written like the value of the key `mask`
  smooth.parameters.sigma = {2};
  heat.name = "stencil.heat";
  heat.mask = read_mask("0 .1 0; .1 .6 .1; 0 .1 0");
  heat.steps = 400;
  config.stages = {smooth, heat};
  // end
  return config;
}

/// Runs the same job twice in one process, with a configuration that is given as text.
void run_twice(MPI_Comm ranks, const Config& made, const std::string& copy) {
  const std::string text = "[input]\nfile = " + made.input.file +
                           "\ndataset = /x\n[output]\nfile = " + copy + "\noverwrite = yes\n" +
                           "[stencil.smooth]\nmask = gaussian\nsigma = 2\n" +
                           "[stencil.heat]\nmask = 0 .1 0; .1 .6 .1; 0 .1 0\nsteps = 400\n";
  Job job(parse_config({.text = text}));
  for (const int run : {1, 2}) {
    Steps steps;
    job.run(ranks, steps);
    MPI_Barrier(ranks);
    expect(bytes_of(copy) == bytes_of(made.output.file), run == 1 ? "the run" : "the second run");
  }
}

/// Runs a job until its listener stops it, as in docs/library.md.
void run_and_stop(MPI_Comm ranks, const Config& config) {
  // example
  struct Progress : Listener {  // rank 0 of the communicator calls these functions
    explicit Progress(Job& its_job) : job(its_job) {}
    void note(const std::string& text) override { std::printf("note: %s\n", text.c_str()); }
    void step(Index done) override {
      if (done == 3) job.stop();  // any thread of any rank may call stop()
    }
    void end(const RunEnd& run) override { std::printf("%s is written\n", run.output.c_str()); }

    Job& job;
  };

  Job job(config);
  Progress progress(job);
  try {
    job.run(ranks, progress);  // ranks: an MPI communicator of the program
  } catch (const StoppedError& error) {
    std::printf("%s\n", error.what());  // what is saved, and where
  } catch (const Error& error) {        // WordsError, StorageError, MachineError: on every rank
    std::fprintf(stderr, "%s\n", error.what());
  }
  // end
}

/// A run that was stopped by its listener or by another thread continues from its checkpoint.
void stop_and_go_on(MPI_Comm ranks, Config config, const std::string& expected, bool by_thread) {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  config.run.checkpoint = config.output.file + ".state";
  Job job(config);
  if (by_thread) {
    Steps stopping;
    stopping.job = &job;
    try {
      job.run(ranks, stopping);
      expect(false, "a job that is asked to stop stops");
    } catch (const StoppedError&) {
    }
  } else {
    run_and_stop(ranks, config);
  }
  MPI_Barrier(ranks);
  expect(!std::filesystem::exists(config.output.file), "a run that was stopped writes no output");
  expect(std::filesystem::exists(config.run.checkpoint), "a run that was stopped saves its state");
  MPI_Barrier(ranks);
  Steps rest;
  job.run(ranks, rest);
  MPI_Barrier(ranks);
  expect(bytes_of(config.output.file) == bytes_of(expected), "the run that went on");
  expect(rank > 0 || rest.done == 401, "all steps are done");
}

/// Checks that a wrong configuration and a missing input throw errors of different types, after
/// which the process continues.
void refuse(MPI_Comm ranks, Config config) {
  config.output.file += ".refused";
  config.input.file += ".absent";
  try {
    Job(config).run(ranks);
    expect(false, "an absent file is refused");
  } catch (const StorageError&) {
  }
  config.stages.clear();
  try {
    const Job job(config);
    expect(false, "a configuration without stages is refused");
  } catch (const WordsError&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int level = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // ranks with even and with odd numbers run separate jobs at the same time
  MPI_Comm ours = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &ours);
  const std::string place = std::string(argv[1]) + (rank % 2 == 0 ? ".even" : ".odd");
  try {
    write_input(ours, place + ".in.h5");
    const Config config = config_of(place + ".in.h5", place + ".out.h5");
    Job(config).run(ours);
    run_twice(ours, config, place + ".again.h5");
    Config other = config;
    for (const bool by_thread : {false, true}) {
      other.output.file = place + (by_thread ? ".by_thread.h5" : ".by_listener.h5");
      stop_and_go_on(ours, other, config.output.file, by_thread);
    }
    refuse(ours, config);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    ++wrong;
  }
  long long all = wrong;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lld things are wrong\n", all);
  MPI_Comm_free(&ours);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
