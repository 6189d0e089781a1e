#include "io/write/blocks/all_written.hpp"

#include <fmt/core.h>

#include <cstdint>

#include "framework/grid/error.hpp"

namespace stencil::storage {
namespace {

/// Hash of a block number (the finaliser of splitmix64). Different sets of blocks have different
/// sums of hashes.
std::uint64_t mixed(Index block) {
  auto bits = static_cast<std::uint64_t>(block) + 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

}  // namespace

void require_all_written(const Communicator& communicator, const BlockWriter& writer, Index blocks,
                         const std::string& name) {
  const Index written = communicator.sum(writer.written());
  std::uint64_t surplus = 0;  // the sum over all ranks is 0 if each block was written once
  for (const Written& record : writer.records()) surplus += mixed(record.block);
  for (Index block = communicator.rank(); block < blocks; block += communicator.size())
    surplus -= mixed(block);
  surplus = static_cast<std::uint64_t>(communicator.sum(static_cast<Index>(surplus)));
  const bool has_parts = communicator.maximum(Index{writer.has_parts()}) != 0;
  communicator.agree([&] {
    const char* advice = "every point has to be written by one rank, once, before commit()";
    if (written < blocks)
      throw UsageError(fmt::format("{} of {} blocks of {} have points that were never written: {}",
                                   blocks - written, blocks, name, advice));
    if (surplus != 0 || has_parts)
      throw UsageError(fmt::format("points of {} were written twice: {}", name, advice));
  });
}

}  // namespace stencil::storage
