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

/// How errors are handled.
enum class OnFailure {
  /// Errors are thrown; if ranks agree on an error (Communicator::agree), every rank throws it. For
  /// callers that catch them: libraries, interpreters, tests.
  throws,
  /// An uncaught exception of any type, on any rank, ends the whole job with one line and the
  /// status of the error, instead of leaving the other ranks waiting. For programs.
  ends_job,
};

struct SessionOptions {
  Backend backend = Backend::automatic;  ///< GPUs where every rank has one
  TransportRequest transport = TransportRequest::automatic;
  int threads = 0;  ///< of OpenMP on this rank; 0: its share of the node, see share_of_node()
  OnFailure on_failure = OnFailure::throws;
};

/// How halos travel between ranks.
struct TransportFacts {
  std::string name;    ///< `host`, `mpi`, `nccl` or `peer`
  std::string reason;  ///< one line on why this transport was chosen
};

/// The ranks that compute together, the executor of each of them, and the transport of halos.
/// Fields, exchanges and pipelines belong to a session and must not outlive it. One program may
/// have several sessions, one after another or at the same time.
///
/// With either choice of OnFailure, an error of one rank during an exchange, when others wait for
/// its messages and cannot be notified, ends the whole job with one line: for example a GPU that
/// stops responding. Cleanup for this case is registered as an AbortCleanup
/// (framework/parallel/abort.hpp).
class Session {
 public:
  /// All ranks of the job. Starts MPI, and finalizes it when this session ends, so other sessions
  /// have to end before; if MPI is already initialized, it is left running. Must be called before
  /// other threads are started. A destructor that runs because of an exception on this rank alone
  /// does not finalize MPI, which would wait for the other ranks. A process without a launcher
  /// starts as an MPI singleton in 0.04 s instead of 0.4 s; it then cannot spawn processes, and
  /// OMPI_MCA_... variables for this stay set in its environment.
  ///
  /// @throws MachineError  MPI cannot be started, or is already finalized; and as below
  explicit Session(const SessionOptions& options = {});

  /// The ranks of a communicator whose owner has started MPI (with MPI_THREAD_FUNNELED at least,
  /// and it calls from the thread that did). Works on a duplicate of it. Collective.
  ///
  /// The cores and GPUs of a node are divided among the ranks of this communicator only. Sets the
  /// number of OpenMP threads of the calling thread, as the constructor above does.
  ///
  /// @throws MachineError  MPI is not initialized, or the communicator is null
  /// @throws Error         agreed on by all ranks: a requested backend is not available
  explicit Session(MPI_Comm communicator, const SessionOptions& options = {});

  /// Like the constructor above, on an existing executor, which must outlive the session; does not
  /// set the number of threads.
  Session(MPI_Comm communicator, Executor& executor,
          TransportRequest transport = TransportRequest::automatic);

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  /// How the ranks share this node; not known for a session on an existing executor.
  const NodeShare& node() const { return node_; }

  Executor& executor() const { return *executor_; }
  /// cpu or cuda, the same on every rank.
  Backend backend() const { return backend_; }

  /// Chooses and opens the transport of halos. The first Pipeline or exchange does so, too; later
  /// calls do nothing. Collective.
  /// @throws Error  agreed on by all ranks: the requested transport is not available
  void connect();
  /// The transport that connect() has chosen. Does not communicate.
  /// @throws UsageError  before connect(), the first Pipeline and the first exchange
  TransportFacts transport() const;

  /// This rank's points of a world, with ghosts. Not initialised.
  /// @throws ShapeError   more blocks than ranks; a negative halo
  /// @throws MemoryError  this rank has no memory for them
  template <class T>
  Field<T> make_field(const Decomposition& blocks, const Halo& halo) const {
    require_ranks_for(blocks);
    return {executor(), {blocks.owned(rank()), halo}};
  }

  /// Sets every owned point to value_at(batch, y, x), a function of global indices that several
  /// threads call at once and that must not throw; ghosts stay as they are.
  template <class T, class ValueAt>
  void fill(Field<T>& field, const ValueAt& value_at) const {
    fill_field(field, executor(), value_at);
  }

  /// The whole world, `{batch, y, x}` points in row-major order, in the memory of rank 0; nothing
  /// on other ranks. Collective.
  ///
  /// @param field  owned points valid
  /// @param shape  the shape of the world
  /// @throws Error  agreed on by all ranks: the blocks of the field are not those of a world of
  ///                this shape; a field that was moved from; no memory for the points
  template <class T>
  std::vector<T> gather(const Field<T>& field, const Point& shape) const;

  /// Reductions over the owned points of a field on all ranks: the result is the same on every
  /// rank, and has the same bits for any number of ranks and threads, any blocks and either
  /// backend. Sums are exact, and rounded once to float64 (by the small superaccumulator of
  /// R. M. Neal, Fast exact summation using small and large superaccumulators, 2015,
  /// arXiv:1505.05571). Collective.
  ///
  /// @param field  owned points valid; ghosts are not read
  /// @returns NaN if any point is NaN
  /// @throws Error  agreed on by all ranks: a field that was moved from; no memory for a copy of
  ///                points in a device's memory
  template <class T>
  double sum(const Field<T>& field) const;
  /// The Euclidean norm, the square root of the sum of the squares; infinite if that sum is above
  /// the largest float64.
  template <class T>
  double norm(const Field<T>& field) const;
  /// The largest and the smallest point; for a world without points -infinity and infinity.
  template <class T>
  double max(const Field<T>& field) const;
  template <class T>
  double min(const Field<T>& field) const;

  /// Fills the ghosts of such fields. Collective. A rank that has no memory for its messages ends
  /// the job, since others wait for it.
  /// @throws Error  agreed on by all ranks: as connect(); more blocks than ranks, a negative
  ///                halo, or arguments that differ between ranks
  template <class T>
  HaloExchange<T> make_exchange(const Decomposition& blocks, const Halo& halo,
                                const Boundary& boundary) {
    agree_on_exchange(blocks, halo, boundary);
    return {communicator(), blocks, halo, boundary, executor(), opened_transport()};
  }

 private:
  /// During its lifetime, an uncaught exception ends the job.
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

  std::optional<EndsJob> ends_job_;  ///< first: errors of making the others end the job, too
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
