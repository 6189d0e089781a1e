#pragma once

#include <string>
#include <string_view>

namespace stencil::storage {

/// Advice for a user after the system refused a call on a file or folder. It is added to a message
/// that contains the call and the reason (strerror).
///
/// @param error  errno of the call
std::string remedy_of(int error);

/// Returns whether a message of HDF5 about a refused system call does not contain the reason. In
/// this case the reason is the errno of the process, if no other call has changed errno.
bool lacks_cause(std::string_view reason);

/// Returns the errno of the system call that made the last HDF5 call fail; 0 if the HDF5 call
/// failed for another reason, such as the content of the file.
int hdf5_system_error();

}  // namespace stencil::storage
