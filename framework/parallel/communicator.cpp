#include "framework/parallel/communicator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <typeinfo>

namespace stencil {
namespace {

constexpr Index piece = Index{1} << 28;  // MPI counts are int: longer texts are sent in pieces of
                                         // this size

MPI_Datatype type_of(Index) {
  return MPI_INT64_T;
}
MPI_Datatype type_of(double) {
  return MPI_DOUBLE;
}

template <class T>
T reduce(MPI_Comm communicator, T value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type_of(value), operation, communicator);
  return value;
}

}  // namespace

Communicator::Communicator(MPI_Comm parent) {
  MPI_Comm_dup(parent, &handle_);
  MPI_Comm_rank(handle_, &rank_);
  MPI_Comm_size(handle_, &size_);
}

Communicator::~Communicator() {
  // MPI_Comm_free is collective, and while an error unwinds this rank, other ranks may never call
  // it.
  int has_ended = 0;
  MPI_Finalized(&has_ended);
  if (std::uncaught_exceptions() == 0 && !has_ended) MPI_Comm_free(&handle_);
}

void Communicator::broadcast(std::string& text, int root) const {
  Index length = static_cast<Index>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, root, handle_);
  text.resize(static_cast<std::size_t>(length));
  for (Index at = 0; at < length; at += piece)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(piece, length - at)), MPI_CHAR, root,
              handle_);
}

Index Communicator::sum(Index value) const {
  return reduce(handle_, value, MPI_SUM);
}
double Communicator::sum(double value) const {
  return reduce(handle_, value, MPI_SUM);
}
Index Communicator::maximum(Index value) const {
  return reduce(handle_, value, MPI_MAX);
}
double Communicator::maximum(double value) const {
  return reduce(handle_, value, MPI_MAX);
}
double Communicator::minimum(double value) const {
  return reduce(handle_, value, MPI_MIN);
}
void Communicator::barrier() const {
  MPI_Barrier(handle_);
}

namespace {

/// Reference to the error that all ranks agreed on last. It is empty when that error no longer
/// exists.
std::weak_ptr<const int>& agreed_error() {
  static std::weak_ptr<const int> error;
  return error;
}

/// The current exception, converted to an Error; call it in a catch block.
Error current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.status(), error.what(), error.lacks_memory()};
  } catch (const std::bad_alloc&) {
    return {Status::machine, "out of memory: use more ranks or nodes, or a smaller input", true};
  } catch (const std::exception& error) {
    return {Status::bug, error.what()};
  } catch (...) {
    return {Status::bug, "an exception of an unknown type"};
  }
}

/// FNV-1a digest of the texts and their boundaries.
std::uint64_t digest_of(const std::vector<std::string>& texts) {
  std::uint64_t digest = 0xcbf29ce484222325;
  const auto add = [&](char byte) {
    digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  };
  for (const std::string& text : texts) {
    for (const char byte : text) add(byte);
    add('\n');
  }
  return digest;
}

/// Throws unless the facts of this rank are those of rank 0. @param theirs  the facts of rank 0,
/// one per line
void require_same(const std::vector<std::string>& facts, const std::string& theirs, int rank) {
  std::istringstream lines(theirs);
  std::string line;
  for (const std::string& fact : facts) {
    if (!std::getline(lines, line)) line = "none";
    if (fact != line)
      throw UsageError("all ranks have to make this call alike: " + fact + " on rank " +
                       std::to_string(rank) + ", and " + line + " on rank 0");
  }
  if (std::getline(lines, line))
    throw UsageError("all ranks have to make this call alike: " + line +
                     " on rank 0, and none on rank " + std::to_string(rank));
}

}  // namespace

void Communicator::agree(const std::function<void()>& phase) const {
  agree_on(0, phase);
}

void Communicator::agree(const std::vector<std::string>& facts,
                         const std::function<void()>& phase) const {
  if (agree_on(digest_of(facts), phase)) return;
  std::string theirs;
  for (const std::string& fact : facts) theirs += fact + '\n';
  broadcast(theirs, 0);
  agree([&] { require_same(facts, theirs, rank_); });
}

/// Implements agree(). @returns whether the digest is the same on every rank
bool Communicator::agree_on(std::uint64_t digest, const std::function<void()>& phase) const {
  std::string message;
  std::array<int, 2> outcome{};  // exit status; whether memory was missing
  try {
    phase();
  } catch (...) {
    const Error error = current_failure();
    outcome = {static_cast<int>(error.status()), error.lacks_memory()};
    message = error.what();
  }
  // the minimum of all digests equals the maximum, ~min(~digest), if all digests are equal
  std::array<std::uint64_t, 3> least{static_cast<std::uint64_t>(outcome[0] == 0 ? size_ : rank_),
                                     digest, ~digest};
  MPI_Allreduce(MPI_IN_PLACE, least.data(), 3, MPI_UINT64_T, MPI_MIN, handle_);
  const int first_failed = static_cast<int>(least[0]);
  if (first_failed == size_) return least[1] == ~least[2];
  MPI_Bcast(outcome.data(), 2, MPI_INT, first_failed, handle_);
  broadcast(message, first_failed);
  Error error(static_cast<Status>(outcome[0]), message, outcome[1] != 0);
  const auto token = std::make_shared<const int>(0);
  agreed_error() = token;
  error.own(token);
  throw error;
}

bool Communicator::has_agreed_on_error() {
  return !agreed_error().expired();
}

void Communicator::or_abort(const std::function<void()>& phase) const {
  try {
    phase();
  } catch (const Error& error) {
    // the type of an error that ranks have agreed on is Error itself, not a derived class
    if (size_ == 1 || typeid(error) == typeid(Error)) throw;
    abort_job(error.status(), error.what());
  } catch (...) {
    if (size_ == 1) throw;
    const Error failure = current_failure();
    abort_job(failure.status(), failure.what());
  }
}

}  // namespace stencil
