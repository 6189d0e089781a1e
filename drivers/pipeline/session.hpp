#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/backend.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field.hpp"
#include "framework/device/fill_field.hpp"
#include "framework/parallel/communicator.hpp"
#include "framework/parallel/halo_exchange.hpp"
#include "framework/parallel/node.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil {

struct TransportChoice;

/// Error handling of a session.
enum class OnFailure {
  /// Errors are thrown. If an error occurs within Communicator::agree() on any rank, every rank
  /// throws it. For callers that catch errors: libraries, interpreters, tests.
  throws,
  /// An uncaught exception of any type, on any rank, ends the whole job with a one-line message and
  /// the exit status of the error, so that the other ranks do not wait forever. For programs.
  ends_job,
};

struct SessionOptions {
  Backend backend = Backend::automatic;  ///< automatic chooses GPUs if every rank has one
  TransportRequest transport = TransportRequest::automatic;
  int threads = 0;  ///< OpenMP threads of this rank; if 0, see share_of_node()
  OnFailure on_failure = OnFailure::throws;
};

/// The transport of halos between ranks.
struct TransportFacts {
  std::string name;    ///< `host`, `mpi`, `nccl` or `peer`
  std::string reason;  ///< reason for the choice, in one line
};

/// The ranks that compute together, their executors, and the transport of halos. Fields, exchanges
/// and pipelines belong to a session and must not outlive it. One program may have several
/// sessions, one after another or at the same time.
///
/// With either value of OnFailure, an error of one rank during an exchange ends the whole job with
/// a one-line message, because other ranks wait for messages of the failed rank and cannot be
/// notified. An example is a GPU that stops responding. Cleanup for this case is registered as an
/// AbortCleanup (framework/parallel/abort.hpp).
class Session {
 public:
  /// A session of all ranks of the job. Starts MPI and finalizes it at the end of this session, so
  /// other sessions must end before this session. If MPI is already initialized, it is left
  /// running. Must be called before other threads are started. If an exception on this rank alone
  /// destroys the session, MPI is not finalized, because finalizing would wait for the other ranks.
  /// A process that no launcher has started becomes an MPI singleton. The constructor then sets
  /// environment variables OMPI_MCA_..., which shorten the start of MPI from 0.4 s to 0.04 s. Such
  /// a process cannot spawn processes, and the variables remain set in its environment.
  ///
  /// @throws MachineError  MPI cannot be started, or is already finalized; see also the next
  ///                       constructor
  explicit Session(const SessionOptions& options = {});

  /// A session of the ranks of a communicator. The owner of the communicator has started MPI, with
  /// MPI_THREAD_FUNNELED or higher, and calls this constructor in the thread that started MPI. The
  /// session uses a duplicate of the communicator. Collective.
  ///
  /// The cores and GPUs of a node are divided only among the ranks of this communicator. Sets the
  /// number of OpenMP threads of the calling thread, like the constructor above.
  ///
  /// @throws MachineError  MPI is not initialized, or the communicator is null
  /// @throws Error         on all ranks: a requested backend is not available
  explicit Session(MPI_Comm communicator, const SessionOptions& options = {});

  /// Like the constructor above, with an existing executor, which must outlive the session. Does
  /// not set the number of threads.
  Session(MPI_Comm communicator, Executor& executor,
          TransportRequest transport = TransportRequest::automatic);

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  /// Returns the division of this node's cores and GPUs among the ranks; for a session with an
  /// existing executor, the division is unknown.
  const NodeShare& node() const { return node_; }

  Executor& executor() const { return *executor_; }
  /// Returns the backend, cpu or cuda, which is the same on every rank.
  Backend backend() const { return backend_; }

  /// Chooses and opens the transport of halos. The first Pipeline or exchange does this
  /// automatically; later calls have no effect. Collective.
  /// @throws Error  on all ranks: the requested transport is not available
  void connect();
  /// Returns the transport that connect() has chosen. Does not communicate.
  /// @throws UsageError  neither connect() was called nor a Pipeline or exchange made
  TransportFacts transport() const;

  /// Allocates an uninitialised field for this rank's points of a world, with ghost points.
  /// @throws ShapeError   there are more blocks than ranks, or a halo width is negative
  /// @throws MemoryError  the memory of this rank is insufficient
  template <class T>
  Field<T> make_field(const Decomposition& blocks, const Halo& halo) const {
    require_ranks_for(blocks);
    return {executor(), {blocks.owned(rank()), halo}};
  }

  /// Sets every owned point to value_at(batch, y, x), with global indices. The function is called
  /// by several threads simultaneously and must not throw. Ghost points are not changed.
  template <class T, class ValueAt>
  void fill(Field<T>& field, const ValueAt& value_at) const {
    fill_field(field, executor(), value_at);
  }

  /// Returns all points of the world on rank 0, {batch, y, x} in row-major order; an empty vector
  /// on other ranks. Collective.
  ///
  /// @param field  the owned points must be valid
  /// @param shape  the shape {batch, y, x} of the world
  /// @throws Error  on all ranks: the blocks of the field do not form a world of this shape, the
  ///                field was moved from, or the memory for the points is insufficient
  template <class T>
  std::vector<T> gather(const Field<T>& field, const Point& shape) const;

  /// Reductions over the owned points of a field on all ranks. The result is the same on every
  /// rank, and its bits do not depend on the number of ranks and threads, the decomposition, or the
  /// backend. Sums are exact and rounded once to float64 (with the small superaccumulator of R. M.
  /// Neal, Fast exact summation using small and large superaccumulators, 2015, arXiv:1505.05571).
  /// Collective.
  ///
  /// @param field  the owned points must be valid; ghost points are not read
  /// @returns NaN if any point is NaN
  /// @throws Error  on all ranks: the field was moved from, or the memory for a copy of points of a
  ///                device is insufficient
  template <class T>
  double sum(const Field<T>& field) const;
  /// Returns the Euclidean norm, that is, the square root of the sum of squares; infinity if the
  /// sum exceeds the largest float64.
  template <class T>
  double norm(const Field<T>& field) const;
  /// The largest and the smallest point; for a world without points, -infinity and infinity.
  template <class T>
  double max(const Field<T>& field) const;
  template <class T>
  double min(const Field<T>& field) const;

  /// Makes an object that fills the ghost points of fields that have this decomposition and halo,
  /// according to the boundary rules. Collective. If a rank has no memory for its messages, the job
  /// ends, because other ranks wait for this rank.
  /// @throws Error  on all ranks: see connect(); or there are more blocks than ranks, a halo width
  ///                is negative, or arguments differ between ranks
  template <class T>
  HaloExchange<T> make_exchange(const Decomposition& blocks, const Halo& halo,
                                const Boundary& boundary) {
    agree_on_exchange(blocks, halo, boundary);
    return {communicator(), blocks, halo, boundary, executor(), opened_transport()};
  }

 private:
  /// While an object of this class exists, an uncaught exception ends the job.
  struct EndsJob {
    EndsJob();
    ~EndsJob();
  };
  /// Finalizes MPI if this session has started it.
  struct StartedMpi {
    StartedMpi();
    ~StartedMpi();
    bool is_ours = false;
    bool may_end = true;
  };

  void require_ranks_for(const Decomposition& blocks) const;
  void agree_on_exchange(const Decomposition& blocks, const Halo& halo,
                         const Boundary& boundary) const;
  void begin(MPI_Comm communicator, const SessionOptions& options);
  template <class T>
  friend class Pipeline;
  Transport& opened_transport();

  std::optional<EndsJob> ends_job_;  ///< first, to handle errors in the construction of the others
  std::optional<StartedMpi> mpi_;
  std::unique_ptr<Communicator> communicator_;
  NodeShare node_;
  std::unique_ptr<Executor> own_executor_;
  Executor* executor_ = nullptr;
  Backend backend_ = Backend::cpu;
  TransportRequest request_ = TransportRequest::automatic;
  std::unique_ptr<TransportChoice> transport_;
};

}  // namespace stencil
