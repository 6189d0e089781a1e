#include "io/write/blocks/readback.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/read/file_check.hpp"
#include "io/write/blocks/output_blocks.hpp"

namespace stencil::storage {
namespace {

/// Reads the bytes of a block. May be called from any thread. @throws StorageError
using ReadBlock = std::function<void(const Written& record, std::byte* to)>;

/// Reads blocks with several threads and compares their checksums.
void check_all(const std::vector<Written>& records, const BlockGrid& grid, const std::string& where,
               const ReadBlock& read) {
  Index most = 0;
  for (const Written& record : records) most = std::max(most, record.bytes);
  std::exception_ptr failure;
  std::atomic<bool> has_failed{false};
  const auto guarded = [&](const auto& work) {
    if (has_failed) return;
    try {
      work();
    } catch (...) {
#pragma omp critical(stencil_first_failure)
      if (!has_failed.exchange(true)) failure = std::current_exception();
    }
  };
  const auto count = std::ssize(records);
#pragma omp parallel num_threads(readback_threads(most))
  {
    std::unique_ptr<std::byte[]> memory;
    guarded([&] { memory.reset(new std::byte[static_cast<std::size_t>(most)]); });
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t i = 0; i < count; ++i)
      guarded([&] {
        const Written& record = records[static_cast<std::size_t>(i)];
        read(record, memory.get());
        check_block(record, memory.get(), grid, where);
      });
  }
  if (failure) std::rethrow_exception(failure);
}

ReadBlock from_file(int file, const std::string& where) {
  return [=](const Written& record, std::byte* to) {
    const int error = read_exactly(file, to, record.bytes, record.at);
    if (error != 0) throw_unreadable(where, error);
  };
}

ReadBlock from_chunks(hid_t dataset, const BlockGrid& grid, const std::string& where) {
  return [=](const Written& record, std::byte* to) {
    const Piece points = grid.points_in(record.block);
    const std::vector<hsize_t> first(points.start.begin(), points.start.end());
    hsize_t bytes = 0;
    std::uint32_t skipped_filters = 0;
    const Hdf5Lock lock;
    checked(H5Dget_chunk_storage_size(dataset, first.data(), &bytes), "cannot read back " + where);
    if (static_cast<Index>(bytes) != record.bytes)
      throw StorageError(fmt::format(
          "a chunk of {} has {} bytes in place of {}: the file system lost data, nothing is kept; "
          "use another folder",
          where, bytes, record.bytes));
    checked(H5Dread_chunk(dataset, H5P_DEFAULT, first.data(), &skipped_filters, to),
            "cannot read back " + where);
  };
}

constexpr std::size_t numbers_per_record = 4;

}  // namespace

int readback_threads(Index block_bytes) {
  constexpr Index most = Index{64} << 20;  // size of all blocks that are read back at the same time
  return static_cast<int>(
      std::clamp<Index>(most / std::max<Index>(1, block_bytes), 1, omp_get_max_threads()));
}

std::uint64_t checksum_of(const void* memory, std::size_t bytes) {
  return XXH3_64bits(memory, bytes);
}

void check_block(const Written& record, const std::byte* bytes, const BlockGrid& grid,
                 const std::string& where) {
  if (checksum_of(bytes, static_cast<std::size_t>(record.bytes)) == record.checksum) return;
  const Piece points = grid.points_in(record.block);
  throw StorageError(fmt::format(
      "what was read back from {} at {} ({} points) is not what was written: the file system "
      "lost data, nothing is kept; use another folder",
      where, fmt::join(points.start, ","), fmt::join(points.count, "x")));
}

void throw_unreadable(const std::string& where, int error) {
  throw StorageError(fmt::format("cannot read {} back: {}: its file system failed", where,
                                 error == cut_off ? "it ends too early" : std::strerror(error)));
}

std::vector<Written> records_to_check(const Communicator& communicator, std::vector<Written> own,
                                      bool by_first) {
  const int rank = communicator.rank(), size = communicator.size();
  if (size == 1) return own;
  int to = (rank + size - 1) % size, from = (rank + 1) % size;
  if (by_first) {  // each rank checks the blocks that it has packed, but rank 1 checks the blocks
                   // of rank 0
    to = rank == 0 ? 1 : MPI_PROC_NULL;
    from = rank == 1 ? 0 : MPI_PROC_NULL;
  }
  std::vector<Index> mine;
  mine.reserve(numbers_per_record * own.size());
  for (const Written& record : own)
    mine.insert(mine.end(),
                {record.block, static_cast<Index>(record.checksum), record.bytes, record.at});
  int sent = static_cast<int>(mine.size()), expected = 0;
  const MPI_Comm handle = communicator.handle();
  MPI_Sendrecv(&sent, 1, MPI_INT, to, 0, &expected, 1, MPI_INT, from, 0, handle, MPI_STATUS_IGNORE);
  std::vector<Index> theirs(static_cast<std::size_t>(expected));
  MPI_Sendrecv(mine.data(), sent, MPI_INT64_T, to, 1, theirs.data(), expected, MPI_INT64_T, from, 1,
               handle, MPI_STATUS_IGNORE);
  mine = {};
  std::vector<Written> records;
  if (by_first && rank > 0) records = std::move(own);
  own = {};
  records.reserve(records.size() + theirs.size() / numbers_per_record);
  for (std::size_t i = 0; i < theirs.size(); i += numbers_per_record)
    records.push_back(
        {theirs[i], static_cast<std::uint64_t>(theirs[i + 1]), theirs[i + 2], theirs[i + 3]});
  return records;
}

void check_bytes(int file_number, const std::string& name, const OutputSpec& spec,
                 const std::vector<Written>& records) {
  if (records.empty()) return;
  const std::string where = qualified_name(name, spec.dataset);
  check_all(records, grid_of(spec), where, from_file(file_number, where));
}

void check_written(int file_number, const std::string& name, const OutputSpec& spec,
                   const std::vector<Written>& records) {
  if (records.empty()) return;
  const std::string where = qualified_name(name, spec.dataset);
  const BlockGrid grid = grid_of(spec);
  if (spec.gzip_level == 0) return check_bytes(file_number, name, spec, records);
  const Handle file = open_for_reading(name_of_open(file_number));
  const Handle dataset = owned(H5Dopen2(file, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose, where);
  check_all(records, grid, where, from_chunks(dataset, grid, where));
}

}  // namespace stencil::storage
