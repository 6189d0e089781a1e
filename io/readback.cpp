#include "io/readback.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "io/file_check.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/transfer.hpp"

namespace stencil::storage {
namespace {

/// Records as numbers: checksum, start and count of every axis, one record after the other.
std::vector<Index> pack(const std::vector<Written>& records) {
  std::vector<Index> numbers;
  for (const Written& record : records) {
    numbers.push_back(static_cast<Index>(record.checksum));
    numbers.insert(numbers.end(), record.piece.start.begin(), record.piece.start.end());
    numbers.insert(numbers.end(), record.piece.count.begin(), record.piece.count.end());
  }
  return numbers;
}

std::vector<Written> unpack(const std::vector<Index>& numbers, std::size_t rank) {
  std::vector<Written> records;
  for (auto at = numbers.begin(); at != numbers.end();) {
    Written record;
    record.checksum = static_cast<std::uint64_t>(*at++);
    const auto axes_of_dataset = static_cast<std::ptrdiff_t>(rank);
    record.piece.start.assign(at, at + axes_of_dataset);
    record.piece.count.assign(at + axes_of_dataset, at + 2 * axes_of_dataset);
    at += 2 * axes_of_dataset;
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace

std::uint64_t checksum_of(const void* memory, std::size_t bytes) {
  return XXH3_64bits(memory, bytes);
}

std::vector<Written> records_of_next_rank(const Communicator& communicator,
                                          const std::vector<Written>& own) {
  const int next = (communicator.rank() + 1) % communicator.size();
  const int previous = (communicator.rank() + communicator.size() - 1) % communicator.size();
  const std::vector<Index> mine = pack(own);
  const Index rank_here = own.empty() ? 0 : static_cast<Index>(own.front().piece.start.size());
  Index header[2] = {static_cast<Index>(mine.size()), rank_here}, theirs[2] = {0, 0};
  const MPI_Comm handle = communicator.handle();
  MPI_Sendrecv(header, 2, MPI_INT64_T, previous, 0, theirs, 2, MPI_INT64_T, next, 0, handle,
               MPI_STATUS_IGNORE);
  std::vector<Index> received(static_cast<std::size_t>(theirs[0]));
  MPI_Sendrecv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, previous, 1,
               received.data(), static_cast<int>(received.size()), MPI_INT64_T, next, 1, handle,
               MPI_STATUS_IGNORE);
  return unpack(received, static_cast<std::size_t>(theirs[1]));
}

void check_written(const std::string& file_name, const OutputSpec& spec,
                   const std::vector<Written>& records) {
  if (records.empty()) return;
  const std::string where = place(file_name, spec.dataset);
  const Index element = static_cast<Index>(size_of(spec.type));
  const Handle file = open_for_reading(file_name);
  const Handle access = access_with_cache(spec.form.dims(), spec.chunk, element);
  const Handle dataset = owned(H5Dopen2(file, spec.dataset.c_str(), access), H5Dclose, where);
  Index most = 0;
  for (const Written& record : records) most = std::max(most, record.piece.points());
  const std::unique_ptr<std::byte[]> memory(
      new std::byte[static_cast<std::size_t>(most * element)]);
  for (const Written& record : records) {
    const Index bytes = record.piece.points() * element;
    read_piece(dataset, native_type(spec.type), record.piece, memory.get(), where);
    if (checksum_of(memory.get(), static_cast<std::size_t>(bytes)) != record.checksum)
      throw StorageError(fmt::format(
          "what was read back from {} at {} ({} points) is not what was written: the MPI-IO layer "
          "or "
          "the file system lost data, nothing is kept; use OMPI_MCA_io=romio321 or another folder",
          where, fmt::join(record.piece.start, ","), fmt::join(record.piece.count, "x")));
  }
}

}  // namespace stencil::storage
