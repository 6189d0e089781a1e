#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace stencil::storage {

/// A forked process with limits on memory, time and core files that does some work and returns a
/// text. If a malformed file crashes the HDF5 library, only the child ends. Several children may
/// run at the same time.
class Child {
 public:
  /// @param subject  file or dataset that is read, for the message if the child crashes or takes
  ///                 too long
  /// @throws MachineError  no process can be started
  Child(std::string subject, const std::function<std::string()>& work);
  /// Ends a child whose answer was not read.
  ~Child();
  Child(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for the child and returns its text; may be called once.
  /// @throws  the error that `work` threw (WordsError, StorageError, MachineError), or StorageError
  ///          if the child crashed, took too long or ran out of memory
  std::string answer();

 private:
  /// Waits for the end of the process. @returns its status as from waitpid()
  int reap();

  std::string subject_;
  pid_t child_ = -1;
  int descriptor_ = -1;
};

/// Runs `work` in a child and returns its answer, see Child.
std::string run_in_child(const std::string& subject, const std::function<std::string()>& work);

}  // namespace stencil::storage
