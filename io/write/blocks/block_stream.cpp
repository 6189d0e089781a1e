#include "io/write/blocks/block_stream.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

constexpr Index page = UncachedFile::page;
constexpr Index huge_page = Index{2} << 20;

Index page_down(Index byte) {
  return byte / page * page;
}

Index page_up(Index byte) {
  return (byte + page - 1) / page * page;
}

/// Opens an open file again for access without the page cache. Fails if the file system does not
/// support this, or /proc is not mounted.
Descriptor open_again(int file, int access) {
  return Descriptor(::open(name_of_open(file).c_str(), access | O_DIRECT | O_CLOEXEC));
}

}  // namespace

UncachedFile::UncachedFile(int file, bool wanted) {
  if (!wanted) return;
  writing_ = open_again(file, O_WRONLY);
  reading_ = open_again(file, O_RDONLY);
}

std::unique_ptr<std::byte[]> PartialBlocks::add(Index block, Index bytes, Index points,
                                                Index wanted,
                                                const std::function<void(std::byte* to)>& fill) {
  std::byte* to = nullptr;
  {
    const std::lock_guard lock(mutex_);
    Partial& partial = blocks_[block];
    if (!partial.bytes)  // the memory is initialised with zeros, because padding beyond the edge is
                         // also written
      partial.bytes.reset(new std::byte[static_cast<std::size_t>(bytes)]());
    to = partial.bytes.get();
  }
  fill(to);  // this needs no mutex, because parts do not overlap
  const std::lock_guard lock(mutex_);
  const auto partial = blocks_.find(block);
  partial->second.points += points;
  if (partial->second.points < wanted) return nullptr;
  auto whole = std::move(partial->second.bytes);
  blocks_.erase(partial);
  return whole;
}

std::byte* BlockStream::hold(Index bytes) {
  bytes = std::max(bytes, huge_page);  // smaller memory would not be aligned to pages
  if (bytes > held_) {
    memory_ = {};
    held_ = 0;
    memory_ = CpuExecutor().allocate(static_cast<std::size_t>(bytes));
    held_ = bytes;
  }
  return memory_.get();
}

WriteCounts BlockStream::fill_block(std::size_t slab, Index block, std::byte* to,
                                    const Fill& fill) const {
  const Piece points = target_.grid.points_in(block), stored = target_.grid.stored_in(block);
  if (points.count != stored.count)  // padding beyond the edge is also written
    std::memset(to, 0, static_cast<std::size_t>(stored.points() * target_.grid.element_bytes()));
  WriteCounts counts = fill(slab, points, stored, to);
  counts.missing += target_.grid.missing_numbers(block, to);
  return counts;
}

void BlockStream::pack(std::size_t slab, Index block, const Fill& fill) {
  std::byte* const points = hold(target_.grid.most_bytes());
  records_.counts += fill_block(slab, block, points, fill);
  store_packed(block, points);
}

void BlockStream::store_packed(Index block, const std::byte* points) {
  if (!packer_)
    packer_.emplace(target_.gzip_level, target_.grid.most_bytes(), target_.grid.shuffled_bytes());
  const std::span<const std::byte> chunk = packer_->pack(points);
  Written record{block, checksum_of(chunk.data(), chunk.size()), std::ssize(chunk)};
  if (target_.ordered && target_.ordered->take(block, chunk)) {
    records_.ordered.push_back(record);
  } else {
    record.at = target_.packed.add(chunk);
    records_.unverified.push_back(record);
  }
}

void BlockStream::add_part(std::size_t slab, Index block, const Piece& part, const Fill& fill) {
  const BlockGrid& grid = target_.grid;
  const Piece stored = grid.stored_in(block);
  const Index bytes = stored.points() * grid.element_bytes();
  const auto whole =
      target_.partial.add(block, bytes, part.points(), grid.points_in(block).points(),
                          [&](std::byte* to) { records_.counts += fill(slab, part, stored, to); });
  if (!whole) return;
  records_.counts.missing += grid.missing_numbers(block, whole.get());
  if (target_.gzip_level > 0) return store_packed(block, whole.get());
  const Index at = target_.first_byte + grid.offset(block);
  records_.unverified.push_back(
      {block, checksum_of(whole.get(), static_cast<std::size_t>(bytes)), bytes, at});
  if (const int error = write_exactly(target_.file, whole.get(), bytes, at))
    throw_unwritable("cannot write " + target_.name, error, target_.name);
}

/// Appends a block to the last run. Begins a new run if the block does not follow the last run in
/// the file. A run has the same offset from a page boundary in memory as in the file.
void BlockStream::add_to_runs(std::size_t slab, Index block, Index& held) {
  const BlockGrid& grid = target_.grid;
  const Index begin = target_.first_byte + grid.offset(block);
  const Index bytes = grid.stored_in(block).points() * grid.element_bytes();
  if (runs_.empty() || runs_.back().end != begin) {
    held = page_up(held);
    runs_.push_back({begin, begin, held + begin - page_down(begin)});
    held = runs_.back().at;
  }
  Run& run = runs_.back();
  run.blocks.push_back({{block, 0, bytes, begin}, slab});
  run.end = begin + bytes;
  held += bytes;
}

void BlockStream::write(const std::vector<Piece>& slabs, const Fill& fill) {
  runs_.clear();
  Index held = 0;
  for (std::size_t slab = 0; slab < slabs.size(); ++slab)
    for (const Index block : target_.grid.touched_by(slabs[slab])) {
      const Piece part = common_part(target_.grid.points_in(block), slabs[slab]);
      if (part.count != target_.grid.points_in(block).count)
        add_part(slab, block, part, fill);
      else if (target_.gzip_level > 0)
        pack(slab, block, fill);
      else
        add_to_runs(slab, block, held);
    }
  if (runs_.empty()) return;
  std::byte* const memory = hold(page_up(held) + page);
  for (Run& run : runs_)
    for (Block& block : run.blocks) {
      std::byte* const to = memory + run.at + (block.record.at - run.begin);
      records_.counts += fill_block(block.slab, block.record.block, to, fill);
      block.record.checksum = checksum_of(to, static_cast<std::size_t>(block.record.bytes));
    }
  for (const Run& run : runs_) write_run(run);
}

std::vector<BlockPart> BlockStream::take_whole(const std::vector<Piece>& slabs, const Fill& fill) {
  runs_.clear();
  std::vector<BlockPart> parts;
  Index held = 0;
  for (std::size_t slab = 0; slab < slabs.size(); ++slab)
    for (const Index block : target_.grid.touched_by(slabs[slab])) {
      Piece part = common_part(target_.grid.points_in(block), slabs[slab]);
      if (part.count != target_.grid.points_in(block).count)
        parts.push_back({block, slab, std::move(part)});
      else
        add_to_runs(slab, block, held);
    }
  if (runs_.empty()) return parts;
  std::byte* const memory = hold(page_up(held) + page);
  for (const Run& run : runs_) {
    WriteCounts counts;
    const auto blocks = std::ssize(run.blocks);
#pragma omp parallel
    {
      WriteCounts own;
#pragma omp for schedule(static) nowait
      for (std::ptrdiff_t i = 0; i < blocks; ++i) {
        const Block& block = run.blocks[static_cast<std::size_t>(i)];
        std::byte* const to = memory + run.at + (block.record.at - run.begin);
        own += fill_block(block.slab, block.record.block, to, fill);
      }
#pragma omp critical
      counts += own;
    }
    records_.counts += counts;
  }
  return parts;
}

void BlockStream::write_taken() {
  for (Run& run : runs_)
    for (Block& block : run.blocks)
      block.record.checksum = checksum_of(memory_.get() + run.at + (block.record.at - run.begin),
                                          static_cast<std::size_t>(block.record.bytes));
  for (const Run& run : runs_) write_run(run);
}

/// Writes the whole pages of a run. @returns false if the file system rejects uncached access
bool BlockStream::write_uncached(const Run& run) const {
  const Index first = page_up(run.begin), last = page_down(run.end);
  if (!target_.uncached.can_write() || first >= last) return false;
  const int error =
      write_exactly(target_.uncached.for_writing(), memory_.get() + run.at + (first - run.begin),
                    last - first, first);
  if (error == EINVAL) target_.uncached.refuse();
  if (error != 0 && error != EINVAL)
    throw_unwritable("cannot write " + target_.name, error, target_.name);
  return error == 0;
}

void BlockStream::write_run(const Run& run) {
  const auto write_cached = [&](Index first, Index last) {
    const int error = write_exactly(target_.file, memory_.get() + run.at + (first - run.begin),
                                    last - first, first);
    if (error != 0) throw_unwritable("cannot write " + target_.name, error, target_.name);
  };
  if (!write_uncached(run)) return write_cached(run.begin, run.end);
  // the first and last page, which may contain bytes of other blocks
  write_cached(run.begin, page_up(run.begin));
  write_cached(page_down(run.end), run.end);
}

void BlockStream::verify() {
  for (const Run& run : runs_)
    if (target_.verifies && target_.uncached.can_read() && target_.uncached.can_write())
      read_back(run);
    else
      leave_unverified(run);
  runs_.clear();
}

void BlockStream::leave_unverified(const Run& run) {
  for (const Block& block : run.blocks) records_.unverified.push_back(block.record);
}

void BlockStream::read_back(const Run& run) {
  std::byte* const memory = memory_.get() + run.at;
  // inverts one byte of each page, so that a page that is not read back fails the comparison
  for (Index byte = 0; byte < run.end - run.begin; byte += page) memory[byte] ^= std::byte{0xff};
  const Index first = page_down(run.begin);
  const int error = read_at_least(target_.uncached.for_reading(), memory - (run.begin - first),
                                  run.end - first, page_up(run.end) - first, first);
  if (error == EINVAL) {
    target_.uncached.refuse();
    return leave_unverified(run);
  }
  if (error != 0) throw_unreadable(target_.name, error);
  for (const Block& block : run.blocks) {
    check_block(block.record, memory + (block.record.at - run.begin), target_.grid, target_.name);
    records_.verified.push_back(block.record);
  }
}

Index block_stream_bytes(const BlockGrid& grid, bool is_packed, Index window) {
  const Index packing = 2 * grid.most_bytes() + most_packed_bytes(grid.most_bytes());
  return is_packed ? packing + huge_page : window + 2 * huge_page;
}

}  // namespace stencil::storage
