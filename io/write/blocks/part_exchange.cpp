#include "io/write/blocks/part_exchange.hpp"

#include <algorithm>
#include <numeric>

namespace stencil::storage {
namespace {

// MPI counts are of type int, so lengths are in units of this number of bytes
constexpr Index unit_bytes = 64;
constexpr Index piece_bytes = Index{256} << 20;
constexpr int tag = 7;

/// Positions, in units, of a rank's messages to (or from) all ranks; the messages are consecutive
/// in memory.
struct Units {
  std::vector<int> count, start;

  explicit Units(std::vector<int> counts) : count(std::move(counts)), start(count.size()) {
    std::exclusive_scan(count.begin(), count.end(), start.begin(), 0);
  }
  std::size_t bytes() const {
    return count.empty() ? 0 : static_cast<std::size_t>(start.back() + count.back()) * unit_bytes;
  }
};

}  // namespace

std::vector<std::vector<std::byte>> exchange_messages(
    const Communicator& communicator, std::vector<std::vector<std::byte>> outgoing) {
  std::vector<int> counts(outgoing.size()), expected(outgoing.size());
  for (std::size_t rank = 0; rank < outgoing.size(); ++rank)
    counts[rank] = static_cast<int>((outgoing[rank].size() + unit_bytes - 1) / unit_bytes);
  MPI_Alltoall(counts.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, communicator.handle());
  const Units sent(counts), received(expected);
  std::vector<std::byte> out, in;
  communicator.agree([&] {
    out.resize(sent.bytes());
    in.resize(received.bytes());
  });
  for (std::size_t rank = 0; rank < outgoing.size(); ++rank)
    std::copy(outgoing[rank].begin(), outgoing[rank].end(),
              out.begin() + Index{sent.start[rank]} * unit_bytes);
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(unit_bytes, MPI_BYTE, &unit);
  MPI_Type_commit(&unit);
  MPI_Alltoallv(out.data(), sent.count.data(), sent.start.data(), unit, in.data(),
                received.count.data(), received.start.data(), unit, communicator.handle());
  MPI_Type_free(&unit);
  for (std::size_t rank = 0; rank < outgoing.size(); ++rank) {
    const auto first = in.begin() + Index{received.start[rank]} * unit_bytes;
    outgoing[rank].assign(first, first + Index{received.count[rank]} * unit_bytes);
  }
  return outgoing;
}

void send_bytes(const Communicator& communicator, const std::byte* from, Index bytes, int to) {
  for (Index at = 0; at < bytes; at += piece_bytes)
    MPI_Send(from + at, static_cast<int>(std::min(piece_bytes, bytes - at)), MPI_BYTE, to, tag,
             communicator.handle());
}

void receive_bytes(const Communicator& communicator, std::byte* to, Index bytes, int from) {
  for (Index at = 0; at < bytes; at += piece_bytes)
    MPI_Recv(to + at, static_cast<int>(std::min(piece_bytes, bytes - at)), MPI_BYTE, from, tag,
             communicator.handle(), MPI_STATUS_IGNORE);
}

}  // namespace stencil::storage
