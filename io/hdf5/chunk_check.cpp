#include "io/hdf5/chunk_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/szip.hpp"

namespace stencil::storage {
namespace {

// largest number of chunks that are looked up; each look-up takes a few microseconds
constexpr Index most_looked_up = Index{1} << 18;
constexpr Index most_searched = Index{1} << 21;  // the same if chunks may be missing
// largest number of recorded chunks whose sizes are compared one by one; HDF5 scans all records to
// find one
constexpr Index most_counted = 1000;
constexpr Index most_unpacked = Index{128} << 20;  // total of all datasets in bytes; about 0.1 s
constexpr Index largest_tried = Index{1} << 30;    // largest chunk that is unpacked as a check, in
                                                   // bytes

/// Positions in the parameter lists of HDF5's filters nbit and scaleoffset.
constexpr std::size_t at_flag = 1, at_points = 2, at_class = 3, at_size = 4, at_order = 5,
                      at_bits = 6, at_first_bit = 7;
constexpr std::size_t values_of_nbit = 8, values_of_scaleoffset = 20;

/// Size of a chunk in bytes after the nbit filter. @pre the filter's parameters are valid
Index bytes_of_nbit(const Filter& filter, Index bytes) {
  if (filter.values.size() != values_of_nbit || filter.values[at_flag] != 0) return bytes;
  return Index{filter.values[at_points]} * Index{filter.values[at_bits]} / 8 + 1;
}

/// Stored size of a chunk in bytes; std::nullopt if the size depends on the values of the points.
std::optional<Index> fixed_bytes(const ChunkLayout& layout, Index n) {
  Index bytes = layout.chunk_bytes();
  if (layout.filters.empty() || !layout.is_packed(n)) return bytes;
  for (const Filter& filter : layout.filters) {
    if (filter.id == H5Z_FILTER_FLETCHER32)
      bytes += 4;
    else if (filter.id == H5Z_FILTER_NBIT && &filter == &layout.filters.front())
      bytes = bytes_of_nbit(filter, bytes);
    else if (filter.id != H5Z_FILTER_SHUFFLE)
      return std::nullopt;
  }
  return bytes;
}

std::optional<std::string> fault_of_record(hid_t dataset, const ChunkLayout& layout, Index n,
                                           bool may_lack, const std::string& where) {
  const Index bytes = bytes_on_record(dataset, layout, n);
  if (bytes < 0) throw_hdf5(where + ": cannot look up " + name_of_chunk(layout, n));
  if (bytes == 0 && may_lack) return std::nullopt;
  if (bytes == 0) return name_of_chunk(layout, n) + " is not in the index of chunks";
  const auto wanted = fixed_bytes(layout, n);
  // a chunk that was written without some filters has no checksum; its size is checked when it is
  // read
  const bool fits =
      !wanted || bytes == *wanted || (*wanted > bytes && bytes == layout.chunk_bytes());
  if (fits) return std::nullopt;
  return fmt::format("{} has {} recorded bytes, but its shape requires {}",
                     name_of_chunk(layout, n), bytes, *wanted);
}

/// Returns whether the parameters of a filter fit the chunk. HDF5 does not check the parameters in
/// the file, and wrong parameters make HDF5 read beyond the chunk.
bool has_sound_values(const Filter& filter, const ChunkLayout& layout) {
  if (filter.id == H5Z_FILTER_SHUFFLE) return filter.values.size() == 1 && filter.values[0] > 0;
  if (filter.id == H5Z_FILTER_SZIP)
    return has_sound_szip_values(filter.values, layout.element_bytes);
  const std::vector<unsigned>& values = filter.values;
  const bool is_nbit = filter.id == H5Z_FILTER_NBIT;
  if (!is_nbit && filter.id != H5Z_FILTER_SCALEOFFSET) return true;
  if (values.size() != (is_nbit ? values_of_nbit : values_of_scaleoffset) ||
      Index{values[at_points]} != points_of(layout.chunk) ||
      Index{values[at_size]} != layout.element_bytes)
    return false;
  const Index last_bit = is_nbit ? Index{values[at_bits]} + Index{values[at_first_bit]} : 0;
  return !is_nbit ||
         (values[0] == values_of_nbit && values[at_flag] <= 1 && values[at_class] == 1 &&
          values[at_order] <= 1 && values[at_bits] > 0 && last_bit <= 8 * layout.element_bytes);
}

const char* name_of(const Filter& filter) {
  if (filter.id == H5Z_FILTER_SHUFFLE) return "shuffle";
  if (filter.id == H5Z_FILTER_SZIP) return "szip";
  return filter.id == H5Z_FILTER_NBIT ? "nbit" : "scaleoffset";
}

std::optional<std::string> fault_of_filters(const ChunkLayout& layout) {
  for (const Filter& filter : layout.filters)
    if (!has_sound_values(filter, layout))
      return fmt::format(
          "its filter {} unpacks chunks that differ from those that its shape requires: {} of {} "
          "bytes",
          name_of(filter), fmt::join(layout.chunk, "x"), layout.element_bytes);
  return std::nullopt;
}

/// Compares the stored sizes of chunks without filters. HDF5 allocates memory for such a chunk
/// according to its shape, but reads the number of bytes that the index of the dataset records for
/// the chunk. This number may be too small, or larger than the memory.
std::optional<std::string> fault_of_plain_sizes(hid_t dataset, const ChunkLayout& layout,
                                                const std::string& where) {
  if (!layout.filters.empty()) return std::nullopt;
  const Index records = chunks_on_record(dataset, where), bytes = layout.chunk_bytes();
  const auto stored = static_cast<Index>(H5Dget_storage_size(dataset));
  if (stored != checked_multiply(records, bytes))
    return fmt::format("its {} chunks have {} recorded bytes, but its shape requires {} for each",
                       records, stored, bytes);
  const Handle space = owned(H5Dget_space(dataset), H5Sclose, where);
  for (Index n = 0; n < records && records <= most_counted; ++n) {
    hsize_t size = 0;
    checked(H5Dget_chunk_info(dataset, space, static_cast<hsize_t>(n), nullptr, nullptr, nullptr,
                              &size),
            where + ": cannot look up its chunks");
    if (static_cast<Index>(size) != bytes)
      return fmt::format("one of its chunks has {} recorded bytes, but its shape requires {}", size,
                         bytes);
  }
  return std::nullopt;
}

/// Returns the first four bytes of a stored chunk as a number.
Index first_number(Unpacker& unpacker, const StoredChunk& chunk) {
  Index number = 0;
  for (int i = 3; i >= 0 && chunk.bytes >= 4; --i)
    number = number << 8 | std::to_integer<Index>(unpacker.hold(chunk.bytes)[i]);
  return number;
}

/// Checks a chunk whose only filter is scaleoffset. Such a chunk begins with the number of bits per
/// point, and its packed points begin at byte 21.
std::optional<std::string> fault_of_start(const ChunkLayout& layout, Unpacker& unpacker,
                                          const StoredChunk& chunk) {
  if (layout.filters.size() != 1 || chunk.mask != 0) return std::nullopt;
  const Index bits = first_number(unpacker, chunk);
  if (layout.filters[0].id == H5Z_FILTER_SCALEOFFSET &&
      (bits > 8 * layout.element_bytes ||
       chunk.bytes < 21 + (points_of(layout.chunk) * bits + 7) / 8))
    return fmt::format("its {} bytes are not points of {} bits each", chunk.bytes, bits);
  return std::nullopt;
}

std::optional<std::string> fault_of_content(hid_t dataset, const ChunkLayout& layout, Index n,
                                            bool may_lack, Unpacker& unpacker) {
  if (may_lack && bytes_on_record(dataset, layout, n) == 0) return std::nullopt;
  StoredChunk chunk;
  if (const auto fault = read_stored(dataset, layout, n, unpacker, chunk)) return fault;
  if (!is_unpacked_here(layout.filters)) {
    if (const auto fault = fault_of_start(layout, unpacker, chunk))
      return name_of_chunk(layout, n) + ": " + *fault;
    return std::nullopt;
  }
  if (unpacker.unpack(chunk.bytes, chunk.mask)) return std::nullopt;
  return name_of_chunk(layout, n) + ": " + unpacker.fault();
}

std::optional<std::string> fault_of_contents(hid_t dataset, const ChunkLayout& layout,
                                             bool may_lack) {
  thread_local Index left = most_unpacked;  // shared by all sources of a virtual dataset
  const Index count = layout.count(), bytes = layout.chunk_bytes();
  if (layout.filters.empty() || bytes > largest_tried || count == 0) return std::nullopt;
  Unpacker unpacker(layout.filters, bytes);
  const auto fault_of = [&](Index n) {
    left -= bytes;
    return fault_of_content(dataset, layout, n, may_lack, unpacker);
  };
  if (const auto fault = fault_of(0)) return fault;
  if (const auto fault = fault_of(count - 1)) return fault;
  for (Index n = 1; n < std::min(count - 1, most_looked_up) && left > 0; ++n)
    if (const auto fault = fault_of(n)) return fault;
  return std::nullopt;
}

std::optional<std::string> fault_of_records(hid_t dataset, const ChunkLayout& layout, bool may_lack,
                                            const std::string& where) {
  const Index wanted = layout.count();
  const Index stride = (wanted - 1) / (may_lack ? most_searched : most_looked_up) + 1;
  Index found = 0;
  for (Index n = 0; n < wanted; n += stride) {
    if (const auto fault = fault_of_record(dataset, layout, n, may_lack, where)) return fault;
    if (may_lack && bytes_on_record(dataset, layout, n) > 0) ++found;
  }
  if (!may_lack || stride > 1) return std::nullopt;
  // a chunk with a damaged record would be read like a chunk that was never written
  const Index records = chunks_on_record(dataset, where);
  if (found == records) return std::nullopt;
  return fmt::format("{} chunks are recorded, but only {} of them are found at their places",
                     records, found);
}

}  // namespace

std::optional<std::string> fault_of_chunks(hid_t dataset, const ChunkLayout& layout, bool may_lack,
                                           const std::string& where) {
  if (const auto fault = fault_of_plain_sizes(dataset, layout, where)) return fault;
  if (const auto fault = fault_of_filters(layout)) return fault;
  if (may_lack && chunks_on_record(dataset, where) == 0) return std::nullopt;
  if (const auto fault = fault_of_records(dataset, layout, may_lack, where)) return fault;
  return fault_of_contents(dataset, layout, may_lack);
}

}  // namespace stencil::storage
