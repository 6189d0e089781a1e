#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/grid/error.hpp"
#include "framework/grid/shape.hpp"
#include "framework/parallel/abort.hpp"

namespace stencil {

/// The ranks of a run. Owns a duplicate of the MPI communicator that it is made from.
class Communicator {
 public:
  explicit Communicator(MPI_Comm parent);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  MPI_Comm handle() const { return handle_; }

  /// Copies a text of any length from rank `root` to every rank.
  void broadcast(std::string& text, int root) const;
  Index sum(Index value) const;
  double sum(double value) const;
  Index maximum(Index value) const;
  double maximum(double value) const;
  double minimum(double value) const;
  void barrier() const;

  /// Runs `phase` on every rank. If the phase threw on any rank, every rank throws the error of the
  /// lowest rank that failed, so that no rank waits forever. The phase itself must not communicate.
  /// Collective.
  void agree(const std::function<void()>& phase) const;

  /// Like agree(phase), but also checks, in the same message, that `facts` are equal on all ranks.
  /// Collective.
  ///
  /// @param facts  arguments such as `until = 5`, in the same order on every rank
  /// @throws Error  the error of agree(phase). If no rank failed, but some rank has a fact that
  ///                differs from the same fact on rank 0: an error that names the first such fact
  ///                of the lowest such rank
  void agree(const std::vector<std::string>& facts, const std::function<void()>& phase) const;

  /// Runs a phase that communicates. If one rank fails, the others may wait for it, so an error
  /// ends the whole job at once, unless all ranks have agreed on the error. With one rank the error
  /// is only thrown.
  void or_abort(const std::function<void()>& phase) const;

  /// Returns whether this process is throwing or handling an error that all ranks of a communicator
  /// have agreed on.
  static bool has_agreed_on_error();

 private:
  bool agree_on(std::uint64_t digest, const std::function<void()>& phase) const;

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace stencil
