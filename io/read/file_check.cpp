#include "io/read/file_check.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr std::string_view signature{"\211HDF\r\n\032\n", 8};

/// Guesses the format of a file that is not HDF5 from its first bytes.
std::string looks_like(std::string_view start) {
  if (start.starts_with("CDF")) return "a classic netCDF file: convert it with `nccopy -k nc4`";
  if (start.starts_with("PK")) return "a zip or npz archive: store the array as HDF5";
  if (start.starts_with("\223NUMPY")) return "a numpy file: store the array with h5py";
  if (start.starts_with("\016\003\023\001")) return "an HDF4 file: convert it with `h4toh5`";
  if (start.starts_with("\037\213")) return "a gzip archive: unpack it first";
  const auto is_text = [](char c) { return c == '\n' || c == '\r' || c == '\t' || c >= ' '; };
  if (std::all_of(start.begin(), start.end(), is_text)) return "a text file: name an HDF5 file";
  return "something else: name an HDF5 file";
}

/// Advice for a file that cannot be opened.
std::string remedy_for(const std::string& file, int error) {
  return error == ENOENT && file.find_first_of("*?[") != std::string::npos
             ? "patterns are not expanded, name one file (a virtual dataset can join several)"
             : remedy_of(error);
}

/// Advice for a file that HDF5 cannot open, depending on HDF5's reason.
std::string remedy_for(const std::string& reason) {
  const int error = hdf5_system_error();
  if (error == EAGAIN && reason.find("lock") != std::string::npos)
    return "another program is writing it, wait until that is done";
  if (error != 0) return remedy_of(error);
  if (reason.find("truncated") != std::string::npos)
    return "the file is not whole, copy it again from its source";
  if (reason.find("already open for") != std::string::npos)
    return "a program is writing it, or ended without closing it: wait, or run `h5clear -s` on it";
  return "the file is damaged, copy it again from its source";
}

[[noreturn]] void throw_refused(const char* what, const std::string& file, int error) {
  throw StorageError(fmt::format("cannot {} {}: {}: {}", what, one_line(file), std::strerror(error),
                                 remedy_for(file, error)));
}

}  // namespace

FileState file_state(const std::string& file) {
  struct stat state {};
  if (::stat(file.c_str(), &state) != 0) throw_refused("open", file, errno);
  if (!S_ISREG(state.st_mode))
    throw StorageError(fmt::format("{} is {}: name an HDF5 file", one_line(file),
                                   S_ISDIR(state.st_mode)    ? "a folder"
                                   : S_ISFIFO(state.st_mode) ? "a pipe"
                                                             : "a device or socket"));
  if (::access(file.c_str(), R_OK) != 0) throw_refused("read", file, errno);
  return {state.st_size, Index{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec};
}

void check_signature(const std::string& file, Index bytes) {
  if (bytes == 0)
    throw StorageError(
        fmt::format("{} is empty (0 bytes): copy it again from its source", one_line(file)));
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) throw_refused("open", file, errno);
  char start[64]{}, here[8]{};
  const auto read = [&](char* to, Index size, Index at) {
    const int error = read_exactly(descriptor.number(), reinterpret_cast<std::byte*>(to), size, at);
    if (error > 0) throw_refused("read", file, error);
    return error == 0;
  };
  const Index first = std::min<Index>(bytes, sizeof start);
  read(start, first, 0);
  bool found = false;
  // the format allows a user block of 512, 1024, 2048, ... bytes before the signature
  for (Index at = 0; at < bytes && !found; at = at == 0 ? 512 : at * 2)
    found = read(here, sizeof here, at) && std::string_view(here, sizeof here) == signature;
  if (!found)
    throw StorageError(
        fmt::format("{} is not an HDF5 file but {}", one_line(file),
                    looks_like(std::string_view(start, static_cast<std::size_t>(first)))));
}

Handle open_for_reading(const std::string& file) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_sec2(access);
  H5Pset_sieve_buf_size(access, std::size_t{1} << 20);
  // the second flag makes HDF5 accept file systems without locks
  H5Pset_file_locking(access, true, true);
  // resolves symbolic links, because virtual sources are searched in the folder of the real file
  std::error_code error;
  const std::string real = std::filesystem::canonical(file, error).string();
  if (error) throw_refused("open", file, error.value());
  Handle opened(H5Fopen(real.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (opened) return opened;
  const std::string reason = hdf5_reason();
  // HDF5 gives this reason if the file contains the mark of a writer
  if (reason.find("already open for") != reason.npos)
    throw StorageError(fmt::format(
        "cannot open {0}: a program has it open for writing, or ended without closing it: wait "
        "until the file is closed, or, if no program writes to it now, copy it and remove the "
        "mark of the writer from the copy with `h5clear -s COPY`",
        one_line(file)));
  throw StorageError(
      fmt::format("cannot open {}: {}: {}", one_line(file), reason, remedy_for(reason)));
}

}  // namespace stencil::storage
