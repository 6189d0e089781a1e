#include "io/write/blocks/writable_file.hpp"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

using Points = WritableFile::Points;

/// Arguments of the driver. HDF5 copies them with the access properties.
struct DriverAccess {
  FileStructure* structure;
  Points points;
};

/// An open file. If closing failed, HDF5 may keep this object after its WritableFile has been
/// destroyed.
struct OpenFile : H5FD_t {
  Descriptor descriptor;
  std::shared_ptr<FileStructure> structure;
  Points points = Points::are_structure;
  haddr_t end_of_addresses = 0;
};

OpenFile& opened(H5FD_t* file) {
  return *static_cast<OpenFile*>(file);
}

/// Adds the reason to HDF5's error stack, in the format of HDF5's own driver, which this program
/// parses for its messages.
/// @returns success or failure as HDF5 expects it
herr_t result(int error, const char* call) {
  if (error == 0) return 0;
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_WRITEERROR,
           "file %s failed: error message = '%s'", call, std::strerror(error));
  return -1;
}

/// Runs work that changes the file. The work may throw std::bad_alloc, which is caught here,
/// because no C++ exception may pass through HDF5. HDF5 1.10 crashes if a write fails while it
/// copies an object. Therefore, with Points::are_structure, nothing is written after the first
/// error, and HDF5 is not informed of the error; close() reports the error.
template <class Work>
herr_t guarded(OpenFile& file, const char* call, const Work& work) {
  const bool is_looked_at = file.points == Points::are_structure;
  if (is_looked_at && file.structure->error() != 0) return 0;
  int error = ENOMEM;
  try {
    error = work();
  } catch (const std::bad_alloc&) {
  }
  file.structure->fail(error);
  return is_looked_at ? 0 : result(error, call);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* const given = static_cast<const DriverAccess*>(H5Pget_driver_info(access));
  if (!given) return nullptr;
  auto* const file = new (std::nothrow) OpenFile{};
  if (!file) return nullptr;
  file->structure = given->structure->shared_from_this();
  file->points = given->points;
  int number = -1;
  do {
    number = ::open(name, O_RDWR | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  int error = number < 0 ? errno : 0;
  file->descriptor = Descriptor(number);
  if (error == 0 && (flags & H5F_ACC_TRUNC) != 0) error = file->structure->set_length(number, 0);
  if (error == 0) return file;
  file->structure->fail(error);
  result(error, "open");
  delete file;
  return nullptr;
}

herr_t close_file(H5FD_t* file) {
  OpenFile& own = opened(file);
  const herr_t closed = result(own.structure->fail(own.descriptor.close()), "close");
  delete &own;
  return closed;
}

/// Sets the same flags as HDF5's own POSIX driver, so that the files have the same layout.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<const OpenFile*>(file)->end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  opened(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  const auto& own = *static_cast<const OpenFile*>(file);
  struct stat state {};
  if (::fstat(own.descriptor.number(), &state) == 0) return static_cast<haddr_t>(state.st_size);
  result(own.structure->fail(errno), "stat");
  return HADDR_UNDEF;
}

/// Reads bytes; bytes after the end of the file are zeros.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t bytes, void* to) {
  OpenFile& own = opened(file);
  std::memset(to, 0, bytes);
  const int error = read_exactly(own.descriptor.number(), static_cast<std::byte*>(to),
                                 static_cast<Index>(bytes), static_cast<Index>(at));
  return result(own.structure->fail(error == cut_off ? 0 : error), "read");
}

herr_t write(H5FD_t* file, H5FD_mem_t kind, hid_t, haddr_t at, std::size_t bytes,
             const void* from) {
  OpenFile& own = opened(file);
  const bool are_points = kind == H5FD_MEM_DRAW && own.points == Points::have_records;
  const auto call = are_points ? &FileStructure::write_points : &FileStructure::write;
  return guarded(own, "write", [&] {
    return ((*own.structure).*call)(own.descriptor.number(), static_cast<const std::byte*>(from),
                                    static_cast<Index>(bytes), static_cast<Index>(at));
  });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& own = opened(file);
  const haddr_t end = end_of_file(file, H5FD_MEM_DEFAULT);
  if (end == HADDR_UNDEF) return -1;
  if (end == own.end_of_addresses) return 0;
  return guarded(own, "truncate", [&] {
    return own.structure->set_length(own.descriptor.number(),
                                     static_cast<Index>(own.end_of_addresses));
  });
}

H5FD_class_t make_driver() {
  constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(512);  // the first value that HDF5 reserves for
                                                        // other programs
#endif
  driver.name = "stencil_output";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<Index>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverAccess);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

}  // namespace

WritableFile::WritableFile(std::string name, FileStructure& structure, Points points, hid_t access,
                           std::string what)
    : name_(std::move(name)),
      what_(std::move(what)),
      structure_(structure.shared_from_this()),
      failed_before_(failed_closes()) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t number = H5FDregister(&driver);
  const DriverAccess given{&structure, points};
  checked(H5Pset_driver(access, number, &given), what_);
}

WritableFile WritableFile::create(int descriptor, std::string name, FileStructure& structure,
                                  hid_t creation, hid_t access, std::string what) {
  WritableFile made(std::move(name), structure, Points::are_structure, access, std::move(what));
  made.file_ = owned(H5Fcreate(name_of_open(descriptor).c_str(), H5F_ACC_TRUNC, creation, access),
                     H5Fclose, made.what_);
  return made;
}

WritableFile WritableFile::open(int descriptor, std::string name, FileStructure& structure,
                                Points points, hid_t access, std::string what) {
  WritableFile file(std::move(name), structure, points, access, std::move(what));
  file.file_ =
      owned(H5Fopen(name_of_open(descriptor).c_str(), H5F_ACC_RDWR, access), H5Fclose, file.what_);
  return file;
}

void WritableFile::close() {
  checked(file_.close(), what_);
  if (const int error = structure_->error()) throw_unwritable(what_, error, name_);
  if (failed_closes() != failed_before_)
    throw StorageError(what_ + ": HDF5 could not close everything in it: run again");
}

void with_structure(const FileStructure& structure, const std::string& what,
                    const std::string& name, const std::function<void()>& work) {
  try {
    work();
  } catch (const StorageError&) {
    if (structure.error() != 0) throw_unwritable(what, structure.error(), name);
    throw;
  }
}

Handle output_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  H5Pset_alignment(access, 16 * output_page, output_page);
  // NAME.lock excludes other writers; readers of a growing file must not be excluded
  H5Pset_file_locking(access, false, true);
  return access;
}

}  // namespace stencil::storage
