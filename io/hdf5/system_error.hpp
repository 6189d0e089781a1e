#pragma once

#include <string>
#include <string_view>

namespace stencil::storage {

/// What a user can do if the system refused a call on a file or folder. It is added to a message
/// that says what was refused and why (strerror).
///
/// @param error  errno of the call
std::string remedy_of(int error);

/// Whether this message of HDF5 about a refused system call lacks the reason: its errno is then
/// that of the process, as long as no other call has changed it.
bool lacks_cause(std::string_view reason);

/// The errno of the system call for which the last HDF5 call failed; 0 if it failed for another
/// reason, such as the content of the file.
int hdf5_system_error();

}  // namespace stencil::storage
