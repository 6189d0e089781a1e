#include "io/hdf5/chunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

std::vector<hsize_t> offset_of(const ChunkLayout& layout, Index n) {
  const Piece piece = layout.piece(n);
  return {piece.start.begin(), piece.start.end()};
}

Filter filter_of(hid_t creation, unsigned number, const std::string& where) {
  unsigned flags = 0, configuration = 0;
  std::vector<unsigned> values(64);
  std::size_t count = values.size();
  char name[8]{};
  const H5Z_filter_t id = checked(H5Pget_filter2(creation, number, &flags, &count, values.data(),
                                                 sizeof name, name, &configuration),
                                  where + ": cannot read its filters");
  values.resize(std::min(count, values.size()));
  return {id, values};
}

void check_chunk(const ChunkLayout& layout, const std::string& where) {
  Index bytes = layout.element_bytes;
  for (const Index extent : layout.chunk) {
    if (extent < 1)
      throw StorageError(
          fmt::format("{} has a chunk without points: the file is malformed", where));
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > largest_chunk)
      throw StorageError(
          fmt::format("{} has chunks of {} points, beyond the 4 GiB that HDF5 allows: "
                      "the file is malformed",
                      where, fmt::join(layout.chunk, "x")));
  }
}

/// Difference between the size of an element in the file and in memory, in bytes. A text of
/// variable length is a pointer in memory, but a length, an address and an index in the file.
Index beyond_memory(hid_t type, Index address_bytes) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? address_bytes + 8 - Index{sizeof(char*)} : 0;
    case H5T_VLEN:
      return address_bytes + 8 - Index{sizeof(hvl_t)};
    case H5T_ARRAY: {
      hsize_t dims[H5S_MAX_RANK];
      const Handle super(H5Tget_super(type), H5Tclose);
      Index bytes = beyond_memory(super, address_bytes);
      const int rank = H5Tget_array_dims2(type, dims);
      for (int axis = 0; axis < rank; ++axis)
        bytes = checked_multiply(bytes, static_cast<Index>(dims[axis]));
      return bytes;
    }
    case H5T_COMPOUND: {
      Index bytes = 0;
      for (unsigned i = 0; i < static_cast<unsigned>(std::max(H5Tget_nmembers(type), 0)); ++i)
        bytes += beyond_memory(Handle(H5Tget_member_type(type, i), H5Tclose), address_bytes);
      return bytes;
    }
    default:
      return 0;
  }
}

Index bytes_in_file(hid_t dataset, hid_t type, const std::string& what) {
  const Handle file = owned(H5Iget_file_id(dataset), H5Fclose, what),
               creation = owned(H5Fget_create_plist(file), H5Pclose, what);
  std::size_t address_bytes = 0, length_bytes = 0;
  checked(H5Pget_sizes(creation, &address_bytes, &length_bytes), what);
  return static_cast<Index>(H5Tget_size(type)) +
         beyond_memory(type, static_cast<Index>(address_bytes));
}

/// Describes why a chunk cannot be read. @throws StorageError  the storage fails
std::string unreadable(const ChunkLayout& layout, Index n) {
  const bool is_storage = storage_failed();
  const std::string text =
      fmt::format("{} cannot be read: {}", name_of_chunk(layout, n), hdf5_reason());
  if (is_storage) throw StorageError(text);
  return text;
}

}  // namespace

Index ChunkLayout::count() const {
  Index chunks = 1;
  for (std::size_t axis = 0; axis < dims.size() && chunks > 0; ++axis)
    chunks = dims[axis] == 0 ? 0 : checked_multiply(chunks, (dims[axis] - 1) / chunk[axis] + 1);
  return chunks;
}

Piece ChunkLayout::piece(Index n) const {
  Piece piece{std::vector<Index>(dims.size()), chunk};
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    const Index along = (dims[axis] - 1) / chunk[axis] + 1;
    piece.start[axis] = n % along * chunk[axis];
    n /= along;
  }
  return piece;
}

bool ChunkLayout::is_packed(Index n) const {
  if (!has_plain_edges) return true;
  const Piece whole = piece(n);
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (whole.start[axis] + chunk[axis] > dims[axis]) return false;
  return true;
}

ChunkLayout chunk_layout_of(hid_t dataset, const std::string& where) {
  const std::string what = where + ": cannot read its chunks";
  const Handle creation = owned(H5Dget_create_plist(dataset), H5Pclose, what);
  const Handle space = owned(H5Dget_space(dataset), H5Sclose, what);
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, what);
  const int rank = checked(H5Sget_simple_extent_ndims(space), what);
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank)), chunk(dims.size());
  checked(H5Sget_simple_extent_dims(space, dims.data(), nullptr), what);
  checked(H5Pget_chunk(creation, rank, chunk.data()), what);
  ChunkLayout layout{
      {dims.begin(), dims.end()}, {chunk.begin(), chunk.end()}, bytes_in_file(dataset, type, what)};
  check_chunk(layout, where);
  const int filters = checked(H5Pget_nfilters(creation), what);
  for (int i = 0; i < filters; ++i)
    layout.filters.push_back(filter_of(creation, static_cast<unsigned>(i), where));
  H5D_fill_value_t fill{};
  checked(H5Pfill_value_defined(creation, &fill), where + ": cannot read its fill value");
  unsigned options = 0;
  checked(H5Pget_chunk_opts(creation, &options), what);
  layout.has_plain_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  return layout;
}

std::string name_of_chunk(const ChunkLayout& layout, Index n) {
  return fmt::format("its chunk at [{}]", fmt::join(layout.piece(n).start, ", "));
}

Index bytes_on_record(hid_t dataset, const ChunkLayout& layout, Index n) {
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(dataset, offset_of(layout, n).data(), &bytes) < 0)
    return storage_failed() ? -1 : 0;  // the call also fails for a chunk that was never written
  return static_cast<Index>(bytes);
}

std::optional<std::string> read_stored(hid_t dataset, const ChunkLayout& layout, Index n,
                                       Unpacker& unpacker, StoredChunk& chunk) {
  chunk.bytes = bytes_on_record(dataset, layout, n);
  if (chunk.bytes < 0) return unreadable(layout, n);
  if (chunk.bytes == 0) return name_of_chunk(layout, n) + " is not in the index of chunks";
  if (chunk.bytes > unpacker.most_stored())
    return fmt::format("{} has {} recorded bytes, but {} bytes when unpacked",
                       name_of_chunk(layout, n), chunk.bytes, layout.chunk_bytes());
  if (H5Dread_chunk(dataset, H5P_DEFAULT, offset_of(layout, n).data(), &chunk.mask,
                    unpacker.hold(chunk.bytes)) < 0)
    return unreadable(layout, n);
  if (!layout.is_packed(n)) chunk.mask = ~0u;
  return std::nullopt;
}

Index chunks_on_record(hid_t dataset, const std::string& where) {
  hsize_t chunks = 0;
  const Handle space = owned(H5Dget_space(dataset), H5Sclose, where);
  checked(H5Dget_num_chunks(dataset, space, &chunks), where + ": cannot count its chunks");
  return static_cast<Index>(chunks);
}

}  // namespace stencil::storage
