#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "framework/device/backend.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field.hpp"
#include "framework/device/fill.hpp"
#include "framework/parallel/communicator.hpp"
#include "framework/parallel/gather.hpp"
#include "framework/parallel/halo_exchange.hpp"
#include "framework/parallel/make_transport.hpp"
#include "framework/parallel/node.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil {

/// What becomes of an error.
enum class OnFailure {
  /// It is thrown, by every rank alike where ranks agree on it (Communicator::agree). For callers
  /// that catch it: libraries, interpreters, tests.
  throws,
  /// An exception that nobody catches, on whichever rank and of whichever type, ends the whole job
  /// with one line and the status of the error, instead of leaving the other ranks waiting. For
  /// programs.
  ends_job,
};

struct SessionOptions {
  Backend backend = Backend::automatic;  ///< GPUs where every rank has one
  TransportRequest transport = TransportRequest::automatic;
  int threads = 0;  ///< of OpenMP on this rank; 0: its share of the node, see share_of_node()
  OnFailure on_failure = OnFailure::throws;
};

/// The ranks that compute together, what each of them computes with, and how they exchange halos.
/// Everything else here is made in a session, and must not outlive it. Several sessions may follow
/// each other, or exist side by side, in one program.
///
/// With either choice of OnFailure, an error of one rank in the midst of an exchange, when others
/// wait for its messages and cannot be told, ends the whole job with one line: a GPU that stops
/// answering, say. What is to be cleared up then is an AbortCleanup (framework/parallel/abort.hpp).
class Session {
 public:
  /// All ranks of the job. Starts MPI, and ends it when this session ends, so other sessions have
  /// to end before; if MPI runs already it is left running. To be called before there are other
  /// threads. A destructor that runs because of an exception of this rank alone does not end MPI,
  /// which would wait for the other ranks. A process without a launcher starts alone, in 0.04
  /// instead of 0.4 s: it cannot spawn others, and keeps variables OMPI_MCA_... for that.
  ///
  /// @throws MachineError  MPI cannot be started, or was ended before; and as below
  explicit Session(const SessionOptions& options = {});

  /// The ranks of a communicator whose owner has started MPI (with MPI_THREAD_FUNNELED at least,
  /// and it calls from the thread that did). Works on a duplicate of it. Collective.
  ///
  /// Ranks share cores and GPUs of a node with those of this communicator alone. Sets the number of
  /// OpenMP threads of the calling thread, as the constructor above does.
  ///
  /// @throws MachineError  MPI does not run, or the communicator is null
  /// @throws Error         agreed on by all ranks: a backend that was asked for is not there
  explicit Session(MPI_Comm communicator, const SessionOptions& options = {});

  /// The same on an executor that exists already and outlives the session; sets no threads.
  Session(MPI_Comm communicator, Executor& executor,
          TransportRequest transport = TransportRequest::automatic);

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  /// How the ranks share this node; of a session on an existing executor it is not known.
  const NodeShare& node() const { return node_; }

  Executor& executor() const { return *executor_; }
  /// cpu or cuda, the same on every rank.
  Backend backend() const { return backend_; }

  /// How halos travel, and why so; made by the first call, which is collective.
  /// @throws Error  agreed on by all ranks: the transport that was asked for is not to be had
  const TransportChoice& transport();

  /// This rank's points of a world, with ghosts. Not initialised.
  /// @throws MemoryError  this rank has no memory for them
  template <class T>
  Field<T> make_field(const Decomposition& blocks, const Halo& halo) const {
    return {executor(), {blocks.owned(rank()), halo}};
  }

  /// Sets the owned points to value_at(batch, y, x), see stencil::fill().
  template <class T, class ValueAt>
  void fill(Field<T>& field, const ValueAt& value_at) const {
    stencil::fill(field, executor(), value_at);
  }

  /// The whole world in the memory of rank 0, see stencil::gather(). Collective.
  template <class T>
  std::vector<T> gather(const Field<T>& field, const Point& shape) const {
    return stencil::gather(communicator(), field, executor(), shape);
  }

  /// Fills the ghosts of such fields. Collective. A rank without memory for its messages ends the
  /// job, as others wait for it.
  /// @throws Error  agreed on by all ranks: as transport()
  template <class T>
  HaloExchange<T> make_exchange(const Decomposition& blocks, const Halo& halo,
                                const Boundary& boundary) {
    Transport& by = *transport().transport;
    return {communicator(), blocks, halo, boundary, executor(), by};
  }

 private:
  /// While it lives, what nobody catches ends the job.
  struct EndsJob {
    EndsJob();
    ~EndsJob();
  };
  /// MPI, where this session has started it.
  struct StartedMpi {
    StartedMpi();
    ~StartedMpi();
    bool is_ours = false;
    bool may_end = true;
  };

  void begin(MPI_Comm communicator, const SessionOptions& options);

  std::optional<EndsJob> ends_job_;  ///< first, so that errors of the others' making end it, too
  std::optional<StartedMpi> mpi_;
  std::unique_ptr<Communicator> communicator_;
  NodeShare node_;
  std::unique_ptr<Executor> own_executor_;
  Executor* executor_ = nullptr;
  Backend backend_ = Backend::cpu;
  TransportRequest request_ = TransportRequest::automatic;
  TransportChoice transport_;
};

}  // namespace stencil
