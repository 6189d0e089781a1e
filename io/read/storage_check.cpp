#include "io/read/storage_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "framework/grid/error.hpp"
#include "io/hdf5/chunk_check.hpp"
#include "io/hdf5/chunks.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/read/fill_value.hpp"

namespace stencil::storage {
namespace {

std::string where(const DatasetFacts& facts) {
  return qualified_name(facts.file, facts.dataset);
}

/// Size of all points as stored without filters, in bytes.
Index bytes_of(hid_t dataset, const DatasetFacts& facts) {
  const Handle type =
      owned(H5Dget_type(dataset), H5Tclose, where(facts) + ": cannot read its type");
  Index bytes = static_cast<Index>(H5Tget_size(type));
  for (const Index extent : facts.dims) bytes = checked_multiply(bytes, extent);
  return bytes;
}

/// Returns whether a name needs no escapes inside quotes of a shell and of Python.
bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/._-+=:@%, ").find(c) != std::string_view::npos;
  });
}

/// Returns a command that rewrites the points with gzip. `h5repack` is not suggested: if the plugin
/// of a filter is missing, h5repack omits the dataset without an error.
std::string repacking(const DatasetFacts& facts, H5Z_filter_t filter) {
  constexpr H5Z_filter_t lzf = 32000;
  const bool is_built_in = filter == lzf || filter < H5Z_FILTER_RESERVED;
  return fmt::format(
      "h5repack loses the dataset without that filter, so add it once more, with gzip, to the file "
      "or a copy of it, with h5py{}: python3 -c \"import h5py{}; f = h5py.File('{}', 'r+'); d = "
      "f['{}']; "
      "o = f.create_dataset(d.name + '_gzip', d.shape, d.dtype, chunks=d.chunks, "
      "compression='gzip'); [o.write_direct(d[s], dest_sel=s) for s in d.iter_chunks()]; "
      "[o.attrs.create(k, v) for k, v in d.attrs.items() if k[-5:] != '_LIST']; "
      "[o.dims[i].attach_scale(s) for i, a in enumerate(d.dims) for s in a.values()]\", and write "
      "input.dataset = {}_gzip",
      is_built_in ? "" : " and the plugins of hdf5plugin", is_built_in ? "" : ", hdf5plugin",
      is_plain(facts.file) ? facts.file : "FILE.h5",
      is_plain(facts.dataset) ? facts.dataset : "DATASET",
      is_plain(facts.dataset) ? facts.dataset : "DATASET");
}

std::string name_of(H5Z_filter_t filter, const DatasetFacts& facts, const char* told) {
  switch (filter) {
    case H5Z_FILTER_DEFLATE:
      return "gzip";
    case H5Z_FILTER_SHUFFLE:
      return "shuffle";
    case H5Z_FILTER_FLETCHER32:
      return "fletcher32";
    case H5Z_FILTER_SZIP:
      return "szip";
    case H5Z_FILTER_NBIT:
      return "nbit";
    case H5Z_FILTER_SCALEOFFSET:
      return "scaleoffset";
    default:
      break;
  }
  throw StorageError(fmt::format(
      "{} is stored with filter {} ({}), which is not built in and is not loaded: {}", where(facts),
      filter, *told ? one_line(told) : "no name", repacking(facts, filter)));
}

std::string filters_of(hid_t creation, const DatasetFacts& facts) {
  std::string filters;
  const int count = checked(H5Pget_nfilters(creation), where(facts) + ": cannot read its filters");
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, values = 0, configuration = 0;
    std::size_t number = 0;
    char told[128]{};
    const H5Z_filter_t filter =
        checked(H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &number, &values,
                               sizeof told, told, &configuration),
                where(facts) + ": cannot read its filters");
    const std::string name = name_of(filter, facts, told);
    if (H5Zfilter_avail(filter) <= 0)
      throw StorageError(
          fmt::format("{} is stored with filter {}, which this build of HDF5 lacks: {}",
                      where(facts), name, repacking(facts, filter)));
    filters += (filters.empty() ? "" : "+") + name;
  }
  return filters;
}

/// Sets the value with which HDF5 reads points that were never written.
/// @param what  the points that were never written, for the message
void take_fill_value(hid_t creation, const std::string& what, DatasetFacts& facts) {
  H5D_fill_value_t kind = H5D_FILL_VALUE_UNDEFINED;
  H5D_fill_time_t time = H5D_FILL_TIME_NEVER;
  checked(H5Pfill_value_defined(creation, &kind), where(facts) + ": cannot read its fill value");
  checked(H5Pget_fill_time(creation, &time), where(facts) + ": cannot read its fill value");
  if (kind == H5D_FILL_VALUE_UNDEFINED || time == H5D_FILL_TIME_NEVER)
    throw StorageError(
        fmt::format("{} has {} never written, and no fill value for them: its writer did not "
                    "finish, or write the missing points",
                    where(facts), what));
  facts.fill = kind == H5D_FILL_VALUE_DEFAULT ? ElementValue(0) : fill_value_of(creation, facts);
}

void check_contiguous(hid_t dataset, hid_t creation, DatasetFacts& facts) {
  facts.layout = "contiguous";
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF || facts.storage_bytes == 0) {
    take_fill_value(creation, "its points", facts);
    facts.unwritten = 1;
    return;
  }
  facts.data_offset = static_cast<Index>(offset);
  const Index bytes = bytes_of(dataset, facts);
  if (facts.storage_bytes != bytes || facts.data_offset < 0 ||
      facts.data_offset > facts.file_bytes - bytes)
    throw StorageError(
        fmt::format("{} needs {} bytes from byte {} on, but the file has {} bytes and grants it "
                    "{}: the file is "
                    "damaged or cut off, copy it again from its source",
                    where(facts), bytes, facts.data_offset, facts.file_bytes, facts.storage_bytes));
}

void check_chunks(hid_t dataset, hid_t creation, DatasetFacts& facts) {
  facts.layout = "chunked";
  const ChunkLayout layout = chunk_layout_of(dataset, where(facts));
  facts.chunk = layout.chunk;
  facts.chunk_bytes = layout.chunk_bytes();
  const Index chunks = layout.count();
  const Index missing = chunks - chunks_on_record(dataset, where(facts));
  if (missing > 0)
    take_fill_value(creation, fmt::format("{} of {} chunks", missing, chunks), facts);
  facts.unwritten = std::max<Index>(missing, 0);
  if (missing < 0)
    throw StorageError(
        fmt::format("{} has {} recorded chunks, but its shape requires {}: the file is damaged, "
                    "copy it again from its source",
                    where(facts), chunks - missing, chunks));
  const bool is_too_short =
      facts.filters.empty() && missing == 0 && facts.storage_bytes < bytes_of(dataset, facts);
  if (is_too_short || facts.storage_bytes > facts.file_bytes)
    throw StorageError(fmt::format(
        "{} stores {} bytes in a file of {}, which does not fit its shape: the file is malformed",
        where(facts), facts.storage_bytes, facts.file_bytes));
  if (const auto fault = fault_of_chunks(dataset, layout, missing > 0, where(facts)))
    throw StorageError(fmt::format("{}: {}: the file is damaged, copy it again from its source",
                                   where(facts), *fault));
}

}  // namespace

void check_storage(hid_t dataset, DatasetFacts& facts, const Inspect& inspect) {
  const Handle creation = owned(H5Dget_create_plist(dataset), H5Pclose,
                                where(facts) + ": cannot read how it is stored");
  if (H5Pget_external_count(creation) > 0)
    throw StorageError(
        fmt::format("{} keeps its points in other files (external storage), which are not read: "
                    "write them into one file with h5py (h5repack leaves them where they are)",
                    where(facts)));
  facts.filters = filters_of(creation, facts);
  facts.storage_bytes = static_cast<Index>(H5Dget_storage_size(dataset));
  if (facts.storage_bytes == 0 && storage_failed())  // the call also returns 0 on failure
    throw_hdf5(where(facts) + ": cannot tell how much is stored");
  switch (H5Pget_layout(creation)) {
    case H5D_CONTIGUOUS:
      return check_contiguous(dataset, creation, facts);
    case H5D_CHUNKED:
      return check_chunks(dataset, creation, facts);
    case H5D_VIRTUAL:
      facts.layout = "virtual";
      return check_virtual(creation, facts, inspect);
    case H5D_COMPACT:
      facts.layout = "compact";
      if (facts.storage_bytes == bytes_of(dataset, facts)) return;
      [[fallthrough]];
    default:
      throw StorageError(fmt::format("{} has no storage that fits its shape: the file is malformed",
                                     where(facts)));
  }
}

}  // namespace stencil::storage
