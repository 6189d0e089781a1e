#include "io/hdf5/system_error.hpp"

#include <hdf5.h>

#include <cerrno>
#include <charconv>
#include <string_view>

namespace stencil::storage {
namespace {

struct Search {
  const int of_process;
  int found = 0;
};

/// Finds the errno in a message of HDF5: `what, errno = 5, error message = '...'`, or `what: ...,
/// errno = 5, ...`.
herr_t find_number(unsigned, const H5E_error2_t* error, void* data) {
  constexpr std::string_view mark = "errno = ";
  Search& search = *static_cast<Search*>(data);
  const std::string_view description(error->desc ? error->desc : "");
  if (lacks_cause(description)) search.found = search.of_process;
  const std::size_t at = description.find(mark);
  if (at != description.npos)
    std::from_chars(description.data() + at + mark.size(), description.data() + description.size(),
                    search.found);
  return 0;
}

}  // namespace

std::string remedy_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
      return "check the path";
    case EACCES:
    case EPERM:
      return "check the permissions of it and of its folder";
    case EROFS:
      return "choose a folder that can be written to";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EMFILE:
      return "raise the number of files that a process may open (ulimit -n)";
    case ENFILE:
      return "the machine has too many open files: end other programs, or use another machine";
    case ENOMEM:
      return "the machine is short of memory: end other programs, or use another machine";
    case ENOSPC:
    case EDQUOT:
      return "free some space, raise the quota, or choose another folder";
    case EFBIG:
      return "raise the limit of this process on the size of a file (ulimit -f), or choose another "
             "file system";
    case EINTR:
    case EAGAIN:
    case EBUSY:
      return "run it again";
    default:
      return "run it again, and look at the state of its file system if that fails, too";
  }
}

bool lacks_cause(std::string_view reason) {
  return reason == "can't retrieve stat info for file" ||
         reason == "can't retrieve real path for file";
}

int hdf5_system_error() {
  Search search{.of_process = errno};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_number, &search);
  return search.found;
}

}  // namespace stencil::storage
