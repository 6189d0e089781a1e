#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace stencil::storage {

/// A forked process with limits on memory, time and core files that does some work and returns a
/// text. If a malformed file crashes the HDF5 library, only the child ends. Several may run at the
/// same time.
class Child {
 public:
  /// @param subject  file or dataset, for the message of a child that crashed or hung
  /// @throws MachineError  no process can be started
  Child(std::string subject, const std::function<std::string()>& work);
  /// Ends a child that has not answered.
  ~Child();
  Child(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for the text of the child; to be called once.
  /// @throws what `work` threw (WordsError, StorageError, MachineError), or StorageError for a
  ///         crash, a hang or a child out of memory
  std::string answer();

 private:
  /// Waits for the end of the process. @returns its status, as of waitpid()
  int reap();

  std::string subject_;
  pid_t child_ = -1;
  int descriptor_ = -1;
};

/// The answer of one child, see Child.
std::string run_in_child(const std::string& subject, const std::function<std::string()>& work);

}  // namespace stencil::storage
