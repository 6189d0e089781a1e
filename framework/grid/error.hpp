#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace stencil {

/// Exit status of the program; every Error has one.
enum class Status : int {
  done = 0,
  bug = 1,       ///< an error in the program itself
  words = 2,     ///< wrong user input: configuration, mask, shapes, missing dataset
  storage = 3,   ///< files: missing, unreadable, malformed, no permission, disk full, locked
  machine = 4,   ///< MPI, GPU or memory
  stopped = 75,  ///< stopped on request, with a checkpoint: start the run again (EX_TEMPFAIL)
};

/// Base class of all errors that a user can see. The message is one line: the problem, the file,
/// dataset or key with its value, and what to do instead.
class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message, bool lacks_memory = false)
      : std::runtime_error(message), status_(status), lacks_memory_(lacks_memory) {}
  Status status() const noexcept { return status_; }
  /// Returns whether host or GPU memory was insufficient. If so, a caller may retry with less
  /// memory.
  bool lacks_memory() const noexcept { return lacks_memory_; }

  /// Makes the error and its copies share the ownership of an object. The object exists as long as
  /// the error or one of its copies, so other code can test whether the error still exists.
  void own(std::shared_ptr<const void> token) { token_ = std::move(token); }

 private:
  Status status_;
  bool lacks_memory_;
  std::shared_ptr<const void> token_;
};

/// The user's input is wrong (exit status 2).
struct WordsError : Error {
  explicit WordsError(const std::string& message) : Error(Status::words, message) {}
};

/// Masks, shapes or halos that do not fit together (exit status 2).
struct ShapeError : WordsError {
  using WordsError::WordsError;
};

/// A call of the library that is not allowed in this order or with these arguments, such as
/// finish() without start() (exit status 2).
struct UsageError : WordsError {
  using WordsError::WordsError;
};

/// Files and storage (exit status 3).
struct StorageError : Error {
  explicit StorageError(const std::string& message) : Error(Status::storage, message) {}
};

/// MPI, GPU or memory (exit status 4).
struct MachineError : Error {
  explicit MachineError(const std::string& message, bool lacks_memory = false)
      : Error(Status::machine, message, lacks_memory) {}
};

/// The host or a GPU has not enough memory (exit status 4).
struct MemoryError : MachineError {
  explicit MemoryError(const std::string& message) : MachineError(message, true) {}
};

}  // namespace stencil
