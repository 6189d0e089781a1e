#include "drivers/pipeline/session.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <exception>
#include <mutex>

#include "drivers/pipeline/facts.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/device/watchdog.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/gather_field.hpp"
#include "framework/parallel/last_word.hpp"
#include "framework/parallel/launcher.hpp"
#include "framework/parallel/make_transport.hpp"
#include "framework/parallel/reduce_field.hpp"

namespace stencil {
namespace {

/// The std::terminate handler while a session with OnFailure::ends_job exists.
[[noreturn]] void end_job() {
  try {
    if (const std::exception_ptr uncaught = std::current_exception())
      std::rethrow_exception(uncaught);
    abort_job(Status::bug, "std::terminate was called without an exception");
  } catch (const Error& error) {
    abort_job(error.status(), error.what());
  } catch (const std::exception& error) {
    abort_job(Status::bug, error.what());
  } catch (...) {
    abort_job(Status::bug, "an exception of an unknown type was not caught");
  }
}

/// Number of sessions with OnFailure::ends_job. The first of these sessions sets the std::terminate
/// handler, and the end of the last restores the previous handler.
struct EndingSessions {
  std::mutex mutex;
  int count = 0;
  std::terminate_handler before = nullptr;
};
EndingSessions ending;

/// Ends the job if a rank stops waiting for its GPU, because other ranks may be waiting for this
/// rank.
void end_job_on_stall() {
  on_stall([](const std::string& message) { abort_job(Status::machine, message); });
}

MPI_Comm checked(MPI_Comm communicator) {
  int is_initialised = 0, is_finalised = 0;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  if (!is_initialised || is_finalised)
    throw MachineError(
        "a session on a communicator, and MPI does not run: call MPI_Init_thread before, or make "
        "the session without a communicator");
  if (communicator == MPI_COMM_NULL || communicator == MPI_Comm{})
    throw MachineError("a session on no communicator: ranks that are in none make none");
  return communicator;
}

}  // namespace

Session::EndsJob::EndsJob() {
  const std::lock_guard lock(ending.mutex);
  if (ending.count++ == 0) ending.before = std::set_terminate(end_job);
}

Session::EndsJob::~EndsJob() {
  const std::lock_guard lock(ending.mutex);
  if (--ending.count == 0) std::set_terminate(ending.before);
}

Session::StartedMpi::StartedMpi() {
  int is_initialised = 0, is_finalised = 0;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  if (is_finalised)
    throw MachineError(
        "MPI has ended, and cannot be started again: keep the first Session until the last one is "
        "no longer needed, or start MPI yourself");
  if (is_initialised) return;
  require_launch_with_pmi();
  start_alone_quickly();
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    throw MachineError("MPI_Init failed");
  is_ours = true;
}

Session::StartedMpi::~StartedMpi() {
  if (is_ours && may_end) MPI_Finalize();
}

Session::Session(const SessionOptions& options) {
  if (options.on_failure == OnFailure::ends_job) ends_job_.emplace();
  mpi_.emplace();
  begin(MPI_COMM_WORLD, options);
}

Session::Session(MPI_Comm communicator, const SessionOptions& options) {
  if (options.on_failure == OnFailure::ends_job) ends_job_.emplace();
  begin(checked(communicator), options);
}

Session::Session(MPI_Comm communicator, Executor& executor, TransportRequest transport)
    : communicator_(std::make_unique<Communicator>(checked(communicator))),
      executor_(&executor),
      backend_(executor.is_host() ? Backend::cpu : Backend::cuda),
      request_(transport) {}

void Session::begin(MPI_Comm communicator, const SessionOptions& options) {
  communicator_ = std::make_unique<Communicator>(communicator);
  if (ends_job_) share_last_word(communicator_->handle());
  end_job_on_stall();
  request_ = options.transport;
  node_ = share_of_node(*communicator_);
  if (options.threads > 0) node_.threads = options.threads;
  omp_set_num_threads(node_.threads);
  communicator_->agree([&] { backend_ = resolve_backend(options.backend); });
  // All ranks use the same backend: if one rank has no GPU, no rank uses a GPU.
  if (communicator_->maximum(Index{backend_ == Backend::cpu}) == 1) backend_ = Backend::cpu;
  communicator_->agree([&] { own_executor_ = make_executor(backend_, node_.rank); });
  executor_ = own_executor_.get();
}

void Session::require_ranks_for(const Decomposition& blocks) const {
  if (blocks.blocks() > size())
    throw ShapeError(
        fmt::format("{} blocks need as many ranks, and the number of ranks is {}: use more ranks "
                    "or fewer blocks",
                    to_string(blocks.grid()), size()));
}

/// Checks that the arguments are equal on all ranks. If they differed, the ranks would wait for
/// each other forever.
void Session::agree_on_exchange(const Decomposition& blocks, const Halo& halo,
                                const Boundary& boundary) const {
  communicator().agree(facts_of(blocks, halo, boundary), [&] {
    require_ranks_for(blocks);
    require_ghosts(halo);
  });
}

Session::~Session() {
  if (mpi_) mpi_->may_end = std::uncaught_exceptions() == 0 || Communicator::has_agreed_on_error();
}

void Session::connect() {
  if (transport_) return;
  communicator_->or_abort([&] {
    transport_ =
        std::make_unique<TransportChoice>(make_transport(request_, *communicator_, *executor_));
  });
}

Transport& Session::opened_transport() {
  connect();
  return *transport_->transport;
}

TransportFacts Session::transport() const {
  if (!transport_)
    throw UsageError("no transport has been chosen yet: call connect() on all ranks before");
  return {transport_->transport->name(), transport_->reason};
}

template <class T>
std::vector<T> Session::gather(const Field<T>& field, const Point& shape) const {
  return gather_field(communicator(), field, executor(), shape);
}
template std::vector<float> Session::gather(const Field<float>&, const Point&) const;
template std::vector<double> Session::gather(const Field<double>&, const Point&) const;

template <class T>
double Session::sum(const Field<T>& field) const {
  return sum_of_field(communicator(), field, executor());
}
template double Session::sum(const Field<float>&) const;
template double Session::sum(const Field<double>&) const;

template <class T>
double Session::norm(const Field<T>& field) const {
  return norm_of_field(communicator(), field, executor());
}
template double Session::norm(const Field<float>&) const;
template double Session::norm(const Field<double>&) const;

template <class T>
double Session::max(const Field<T>& field) const {
  return max_of_field(communicator(), field, executor());
}
template double Session::max(const Field<float>&) const;
template double Session::max(const Field<double>&) const;

template <class T>
double Session::min(const Field<T>& field) const {
  return min_of_field(communicator(), field, executor());
}
template double Session::min(const Field<float>&) const;
template double Session::min(const Field<double>&) const;

}  // namespace stencil
