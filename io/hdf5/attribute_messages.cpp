#include "io/hdf5/attribute_messages.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr std::uint64_t attribute_message = 0x0c, continuation_message = 0x10;
constexpr std::uint64_t is_shared = 2;               // flag: the message is stored elsewhere
constexpr Index most_header_bytes = Index{1} << 28;  // limit for one object

using Bytes = std::span<const std::byte>;

/// Reads a little-endian number of `size` bytes, at most 8. @pre the bytes exist
std::uint64_t number(Bytes bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | std::to_integer<unsigned>(bytes[at + i]);
  return value;
}

bool begins_with(const std::vector<std::byte>& bytes, std::string_view signature) {
  return bytes.size() >= signature.size() &&
         std::memcmp(bytes.data(), signature.data(), signature.size()) == 0;
}

/// The file of an object as stored on disk.
struct StoredFile {
  int descriptor = -1;  ///< the descriptor that HDF5 uses
  Index bytes = 0;
  std::uint64_t base = 0;  ///< offset in the file that corresponds to address 0
  std::size_t size_of_address = 0, size_of_length = 0;
};

/// Returns the file of an object; std::nullopt if HDF5 may hold data that are not yet on disk.
std::optional<StoredFile> stored_file(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose);
  unsigned intent = 0;
  // the intent is requested first, because HDF5 copies all properties of a file before it returns
  // one of them
  if (H5Fget_intent(file, &intent) < 0 || (intent & H5F_ACC_RDWR) != 0) return std::nullopt;
  const Handle access(H5Fget_access_plist(file), H5Pclose);
  const Handle creation(H5Fget_create_plist(file), H5Pclose);
  void* descriptor = nullptr;
  StoredFile stored;
  hsize_t base = 0;
  struct stat state {};
  if (H5Pget_driver(access) != H5FD_SEC2 || H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 ||
      H5Pget_userblock(creation, &base) < 0 ||
      H5Pget_sizes(creation, &stored.size_of_address, &stored.size_of_length) < 0 ||
      std::max(stored.size_of_address, stored.size_of_length) > sizeof(std::uint64_t))
    return std::nullopt;
  stored.descriptor = *static_cast<const int*>(descriptor);
  stored.base = base;
  if (::fstat(stored.descriptor, &state) != 0) return std::nullopt;
  stored.bytes = state.st_size;
  return stored;
}

class HeaderWalk {
 public:
  HeaderWalk(hid_t object, const StoredFile& file) : object_(object), file_(file) {}

  AttributeRoom run(std::uint64_t address) {
    const std::vector<std::byte> start = read(address, 6);
    begins_with(start, "OHDR") ? begin_new(address, std::to_integer<unsigned>(start[5]))
                               : begin_old(address);
    for (std::size_t next = 0; next < blocks_.size(); ++next) walk_block(blocks_[next]);
    return std::move(room_);
  }

 private:
  struct Block {
    std::uint64_t address, bytes;
  };

  /// Reads a block of the header. Returns an empty block if the block extends beyond the file, or
  /// the header exceeds most_header_bytes.
  std::vector<std::byte> read(std::uint64_t address, std::uint64_t bytes) {
    const auto end = static_cast<std::uint64_t>(file_.bytes);
    if (file_.base > end || address > end - file_.base || bytes > end - file_.base - address ||
        bytes > static_cast<std::uint64_t>(most_header_bytes - bytes_read_))
      return {};
    std::vector<std::byte> read(bytes);
    const int error = read_exactly(file_.descriptor, read.data(), static_cast<Index>(bytes),
                                   static_cast<Index>(file_.base + address));
    if (error > 0)
      throw StorageError(fmt::format("{}: cannot read its header: {}: {}",
                                     qualified_name(object_file(object_), object_name(object_)),
                                     std::strerror(error), remedy_of(error)));
    bytes_read_ += static_cast<Index>(bytes);
    return error == 0 ? std::move(read) : std::vector<std::byte>{};
  }

  /// Header of version 1: 16 bytes, then messages.
  void begin_old(std::uint64_t address) {
    const std::vector<std::byte> prefix = read(address, 16);
    if (!prefix.empty() && number(prefix, 0, 1) == 1)
      add_block(address + prefix.size(), number(prefix, 8, 4));
  }

  /// Header of version 2: signature, version, flags, times and limits if the flags require them,
  /// and the total size of the messages that follow.
  void begin_new(std::uint64_t address, unsigned flags) {
    const std::size_t size_of_size = std::size_t{1} << (flags & 3);
    const std::size_t size_at = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const std::vector<std::byte> prefix = read(address, size_at + size_of_size);
    if (prefix.empty()) return;
    is_new_ = true;
    // if the creation order is recorded, the head of a message is two bytes longer
    size_of_head_ = flags & 4 ? 6 : 4;
    add_block(address + prefix.size(), number(prefix, size_at, size_of_size));
  }

  /// Adds a block of messages, unless a block at this address has been added before: a damaged
  /// continuation message may refer to an earlier block.
  void add_block(std::uint64_t address, std::uint64_t bytes) {
    if (met_.insert(address).second) blocks_.push_back({address, bytes});
  }

  void walk_block(Block block) {
    const std::vector<std::byte> bytes = read(block.address, block.bytes);
    Bytes left(bytes);
    while (left.size() >= size_of_head_) {
      const std::size_t size_of_type = is_new_ ? 1 : 2;
      const std::uint64_t type = number(left, 0, size_of_type);
      const std::uint64_t size = number(left, size_of_type, 2);
      const std::uint64_t flags = number(left, size_of_type + 2, 1);
      left = left.subspan(size_of_head_);
      if (size > left.size()) return;
      if (type == attribute_message && !(flags & is_shared)) add_attribute(left, size);
      if (type == continuation_message) add_continuation(left.first(size));
      left = left.subspan(size);
    }
  }

  void add_continuation(Bytes message) {
    if (message.size() < file_.size_of_address + file_.size_of_length) return;
    const std::uint64_t address = number(message, 0, file_.size_of_address);
    const std::uint64_t bytes = number(message, file_.size_of_address, file_.size_of_length);
    // numbers of bytes before and after the messages in a block of version 2
    constexpr std::size_t signature = 4, checksum = 4;
    if (!is_new_)
      add_block(address, bytes);
    else if (bytes > signature + checksum && begins_with(read(address, signature), "OCHK"))
      add_block(address + signature, bytes - signature - checksum);
  }

  /// Records how many bytes of an attribute's message remain for the values.
  /// @param message  the message and the bytes after it in its block: HDF5 reads a name up to its
  ///                 null byte
  void add_attribute(Bytes message, std::size_t size) {
    constexpr std::size_t least = 9;
    if (message.size() < least) return;
    const std::uint64_t version = number(message, 0, 1);
    // version 3 has one more byte, for the character set
    const std::size_t name_at = version == 3 ? 9 : 8;
    const std::size_t padding = version == 1 ? 7 : 0;  // in version 1 every part is padded to a
                                                       // multiple of 8 bytes
    Index left = static_cast<Index>(size) - static_cast<Index>(name_at);
    for (const std::size_t at : {2, 4, 6})
      left -= static_cast<Index>((number(message, at, 2) + padding) & ~std::uint64_t{padding});
    const Bytes rest = message.subspan(name_at);
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    const std::string name(reinterpret_cast<const char*>(rest.data()),
                           static_cast<std::size_t>(end - rest.begin()));
    const auto [entry, is_first] = room_.emplace(name, left);
    if (!is_first) entry->second = std::min(entry->second, left);
  }

  hid_t object_;
  StoredFile file_;
  bool is_new_ = false;
  std::size_t size_of_head_ = 8;
  std::vector<Block> blocks_;
  std::set<std::uint64_t> met_;
  Index bytes_read_ = 0;
  AttributeRoom room_;
};

}  // namespace

AttributeRoom attribute_room(hid_t object) {
  H5O_info_t info{};
  const std::optional<StoredFile> file = stored_file(object);
  if (!file || !succeeded(H5Oget_info2(object, &info, H5O_INFO_BASIC), object, "cannot examine it"))
    return {};
  return HeaderWalk(object, *file).run(info.addr);
}

}  // namespace stencil::storage
