#include "io/write/blocks/split_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "framework/grid/error.hpp"

namespace stencil::storage {
namespace {

constexpr Index end_of_parts = 0;

template <class Number>
void append(std::vector<std::byte>& message, const Number* numbers, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers);
  message.insert(message.end(), bytes, bytes + count * sizeof(Number));
}

std::vector<Index> take_numbers(const std::byte*& from, std::size_t count) {
  std::vector<Index> numbers(count);
  std::memcpy(numbers.data(), from, count * sizeof(Index));
  from += count * sizeof(Index);
  return numbers;
}

bool overlap(const Piece& a, const Piece& b) {
  for (std::size_t axis = 0; axis < a.start.size(); ++axis)
    if (a.start[axis] >= b.start[axis] + b.count[axis] ||
        b.start[axis] >= a.start[axis] + a.count[axis])
      return false;
  return true;
}

Index filled_up(Index bytes) {
  return (bytes + 7) / 8 * 8;
}

}  // namespace

std::byte* SplitBlocks::add_part(const BlockPart& part, std::vector<std::byte>& message) const {
  const Index number = part.block + 1;
  append(message, &number, 1);
  append(message, part.piece.start.data(), part.piece.start.size());
  append(message, part.piece.count.data(), part.piece.count.size());
  const std::size_t at = message.size();
  message.resize(at +
                 static_cast<std::size_t>(filled_up(part.piece.points() * grid_.element_bytes())));
  return message.data() + at;
}

void SplitBlocks::finish(std::vector<std::byte>& message) {
  append(message, &end_of_parts, 1);
}

void SplitBlocks::take(const std::vector<std::byte>& message, std::map<Index, Bytes>& complete) {
  const std::size_t rank = grid_.points_in(0).start.size();
  for (const std::byte* from = message.data(); from != message.data() + message.size();) {
    const Index number = take_numbers(from, 1).front();
    if (number == end_of_parts) return;
    const Index block = number - 1;
    Piece piece;
    piece.start = take_numbers(from, rank);
    piece.count = take_numbers(from, rank);
    const Piece stored = grid_.stored_in(block);
    Partial& partial = partial_[block];
    if (!partial.bytes)
      partial.bytes.reset(
          new std::byte[static_cast<std::size_t>(stored.points() * grid_.element_bytes())]());
    const Runs runs(stored, piece);
    const Index points = piece.points(), length = runs.length() * grid_.element_bytes();
    for (Index run = 0; run < points / runs.length(); ++run)
      std::memcpy(partial.bytes.get() + runs.offset(run) * grid_.element_bytes(),
                  from + run * length, static_cast<std::size_t>(length));
    from += filled_up(points * grid_.element_bytes());
    partial.points += points;
    if (std::any_of(partial.pieces.begin(), partial.pieces.end(),
                    [&](const Piece& before) { return overlap(before, piece); }))
      throw UsageError(
          fmt::format("points of {} are written twice: every point has to be written "
                      "by one rank, once",
                      name_));
    partial.pieces.push_back(std::move(piece));
    if (partial.points < grid_.points_in(block).points()) continue;
    complete.emplace(block, std::move(partial.bytes));
    partial_.erase(block);
  }
}

}  // namespace stencil::storage
