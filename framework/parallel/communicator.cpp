#include "framework/parallel/communicator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <new>
#include <typeinfo>

namespace stencil {
namespace {

constexpr Index piece = Index{1} << 28;  // MPI counts are int: long texts travel in pieces

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
  // Freeing is collective. While an error unwinds one rank, the others may never come here.
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

/// Lives as long as the error that was agreed on last.
std::weak_ptr<const int>& agreed_error() {
  static std::weak_ptr<const int> error;
  return error;
}

/// The current exception as an error of the base type; to be called in a catch block.
Error current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.status(), error.what(), error.lacks_memory()};
  } catch (const std::bad_alloc&) {
    return {Status::machine, "out of memory: use more ranks or nodes, or a smaller input", true};
  } catch (const std::exception& error) {
    return {Status::bug, std::string("a bug in the program, please report it: ") + error.what()};
  } catch (...) {
    return {Status::bug, "an exception of an unknown type"};
  }
}

}  // namespace

void Communicator::agree(const std::function<void()>& phase) const {
  std::string message;
  std::array<int, 2> outcome{};  // exit status; whether memory was missing
  try {
    phase();
  } catch (...) {
    const Error error = current_failure();
    outcome = {static_cast<int>(error.status()), error.lacks_memory()};
    message = error.what();
  }
  Index first_failed = outcome[0] == 0 ? size_ : rank_;
  MPI_Allreduce(MPI_IN_PLACE, &first_failed, 1, MPI_INT64_T, MPI_MIN, handle_);
  if (first_failed == size_) return;
  MPI_Bcast(outcome.data(), 2, MPI_INT, static_cast<int>(first_failed), handle_);
  broadcast(message, static_cast<int>(first_failed));
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
    // an error that was agreed upon is of the base type itself
    if (size_ == 1 || typeid(error) == typeid(Error)) throw;
    abort_job(error.status(), error.what());
  } catch (...) {
    if (size_ == 1) throw;
    const Error failure = current_failure();
    abort_job(failure.status(), failure.what());
  }
}

}  // namespace stencil
