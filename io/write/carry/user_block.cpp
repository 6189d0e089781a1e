#include "io/write/carry/user_block.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/file_check.hpp"
#include "io/write/blocks/writable_file.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

constexpr hsize_t largest = hsize_t{64} << 10;  // bytes

}  // namespace

std::string user_block_of(const std::string& file) {
  const std::string what = "cannot read the user block of " + one_line(file);
  const Handle opened = open_for_reading(file);
  const Handle creation = owned(H5Fget_create_plist(opened), H5Pclose, what);
  hsize_t bytes = 0;
  checked(H5Pget_userblock(creation, &bytes), what);
  if (bytes == 0 || bytes > largest) return "";
  const Descriptor plain(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string block(bytes, '\0');
  const int error = plain ? read_exactly(plain.number(), reinterpret_cast<std::byte*>(block.data()),
                                         std::ssize(block), 0)
                          : errno;
  if (error != 0) throw_unreadable(one_line(file), error);
  return block;
}

Index user_block_bytes(const std::string& input) {
  return std::max(output_page, std::ssize(user_block_of(input)));
}

void write_user_block(const std::string& input, int part, const std::string& name,
                      FileStructure& structure) {
  const std::string block = user_block_of(input);
  if (block.empty()) return;
  if (const int error = structure.write(part, reinterpret_cast<const std::byte*>(block.data()),
                                        std::ssize(block), 0))
    throw_unwritable("cannot write the user block of " + one_line(name), error, name);
}

}  // namespace stencil::storage
