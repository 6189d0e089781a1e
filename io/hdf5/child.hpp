#pragma once

#include <functional>
#include <string>

namespace stencil::storage {

/// Runs `work` in a forked child process with limits on memory, time and core files, and returns
/// its text. If a malformed file crashes the HDF5 library, only the child ends.
///
/// @param subject  file or dataset, for the message of a child that crashed or hung
/// @throws what `work` threw (WordsError, StorageError, MachineError), or StorageError for a crash,
///         a hang or a child out of memory
std::string run_in_child(const std::string& subject, const std::function<std::string()>& work);

}  // namespace stencil::storage
