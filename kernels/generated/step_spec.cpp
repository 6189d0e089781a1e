#include "kernels/generated/step_spec.hpp"

#include <algorithm>
#include <cmath>

namespace stencil::generated {
namespace {

constexpr Index widest = 9;  ///< largest number of rows and of columns of a mask
/// Number of multiply-adds per output from which on one step takes longer than reading and writing.
constexpr int most_adds = 48;

// The figures below were measured on an H200 (docs/measurements/time_steps.md). Twelve warps fit on
// a multiprocessor if a thread has at most 168 registers; 96 of these may hold sums.
constexpr int warps_at_once = 12;
constexpr int most_chunks_of_sums = 24;  ///< number of chunks of 16 bytes
constexpr int most_levels = 8;

/// Time in picoseconds in which a walk reads and writes four bytes, and time of a multiply-add in
/// float32. In float64 both times are twice as long.
constexpr double copy_time = 2.0, add_time = 0.036;

bool is_odd_and_small(Index size) {
  return size % 2 == 1 && size <= widest;
}

int chunk_of(const StepMask& mask) {
  return 16 / mask.element;
}

/// Returns the number of steps that a warp can compute with this number of chunks per lane, or 0 if
/// it cannot compute one step.
int levels_for(const StepMask& mask, int chunks) {
  if (mask.height == 1) return most_levels;
  return std::min(most_levels, most_chunks_of_sums / ((mask.height - 1) * chunks));
}

int most_warps(int levels) {
  return levels == 1 ? 6 : 4;
}

/// Returns the time per point and step. Memory accesses and arithmetic overlap almost completely.
double cost(const StepMask& mask, const StepWalk& walk) {
  const int columns = output_columns(mask, walk);
  if (columns <= 0) return HUGE_VAL;
  const double memory = std::pow(copy_time / walk.depth, 4);
  const double sums = std::pow(add_time * std::max(mask.adds(), 3), 4);
  return std::pow(memory + sums, 0.25) * 32 * walk.chunks * chunk_of(mask) / columns;
}

/// Returns the walks for a number of steps that fit into the registers, one for each number of
/// chunks.
std::vector<StepWalk> walks_of(const StepMask& mask, int depth, bool any_warps) {
  std::vector<StepWalk> walks;
  for (int chunks = 2; chunks <= 4; ++chunks) {
    const int most = levels_for(mask, chunks);
    if (most < 1 || (mask.height == 1 && chunks < 4)) continue;
    const int warps = (depth + most - 1) / most;
    if (!any_warps && warps > most_warps(most)) continue;
    walks.push_back({.depth = depth, .levels = (depth + warps - 1) / warps, .chunks = chunks});
  }
  return walks;
}

void set_turn(const StepMask& mask, StepWalk& walk) {
  constexpr std::size_t shared_bytes = 200 << 10;          // limit of a multiprocessor
  constexpr std::size_t shared_bytes_of_block = 96 << 10;  // limit of any GPU
  constexpr int most_code = 1600;                          // multiply-adds without a branch
  walk.resident = std::max(1, warps_at_once / walk.warps());
  if (mask.height == 1) walk.resident = std::max(1, 24 / walk.warps());
  // a mask has at least one tap; max() prevents a warning of clang-tidy
  const int code = walk.levels * walk.chunks * chunk_of(mask) * std::max(1, mask.adds());
  walk.turn = std::clamp(most_code / code, 1, mask.height == 1 ? 1 : 4);
  while (walk.turn > 1 && (walk.bytes() > shared_bytes_of_block ||
                           walk.bytes() * std::size_t(walk.resident) > shared_bytes))
    --walk.turn;
}

}  // namespace

int StepMask::adds() const {
  if (is_separable) return height + width;
  return int(std::count(multiplied.begin(), multiplied.end(), true));
}

std::size_t StepWalk::bytes() const {
  const int rows = (ring + 2 * (warps() - 1)) * turn;
  return std::size_t(rows) * 32 * std::size_t(chunks) * 16;
}

int lost_columns(const StepMask& mask, int depth) {
  const int sector = 2 * chunk_of(mask), beside = depth * (mask.width / 2);
  return 2 * ((beside + sector - 1) / sector * sector);
}

int output_columns(const StepMask& mask, const StepWalk& walk) {
  return 32 * walk.chunks * chunk_of(mask) - lost_columns(mask, walk.depth);
}

template <class T>
std::optional<StepMask> direct_step_mask(int element, Index height, Index width,
                                         const std::vector<T>& taps, bool multiply_zeros) {
  if (!is_odd_and_small(height) || !is_odd_and_small(width)) return {};
  StepMask mask{.element = element, .height = int(height), .width = int(width)};
  for (const T tap : taps) mask.multiplied.push_back(multiply_zeros || tap != 0);
  if (mask.adds() == 0) return {};
  return mask;
}

template <class T>
std::optional<StepMask> separable_step_mask(int element, const std::vector<T>& column,
                                            const std::vector<T>& row, bool multiply_zeros) {
  if (!is_odd_and_small(Index(column.size())) || !is_odd_and_small(Index(row.size()))) return {};
  const auto is_zero = [](T tap) { return tap == 0; };
  if (!multiply_zeros && (std::any_of(column.begin(), column.end(), is_zero) ||
                          std::any_of(row.begin(), row.end(), is_zero)))
    return {};
  return StepMask{.element = element,
                  .height = int(column.size()),
                  .width = int(row.size()),
                  .is_separable = true};
}

template <class T>
std::optional<StepMask> step_mask(const Stencil<T>& stencil, std::array<Index, 2> reach) {
  if (stencil.min_valid || stencil.stride != std::array<Index, 2>{1, 1} ||
      stencil.height != 2 * reach[0] + 1 || stencil.width != 2 * reach[1] + 1)
    return {};
  if (stencil.method == Method::direct)
    return direct_step_mask(sizeof(T), stencil.height, stencil.width, stencil.taps,
                            stencil.multiply_zeros);
  if (stencil.method != Method::separable || stencil.terms != 1) return {};
  return separable_step_mask(sizeof(T), stencil.column, stencil.row, stencil.multiply_zeros);
}

int deepest_sweep(const StepMask& mask) {
  if (mask.adds() > most_adds) return 1;
  double least = HUGE_VAL;
  int best = 1;
  for (int depth = 2; depth <= most_depth; ++depth)
    for (const StepWalk& walk : walks_of(mask, depth, false)) {
      if (cost(mask, walk) >= least) continue;
      least = cost(mask, walk);
      best = depth;
    }
  return best;
}

StepWalk make_step_walk(const StepMask& mask, int depth) {
  std::vector<StepWalk> walks = walks_of(mask, depth, false);
  if (walks.empty()) walks = walks_of(mask, depth, true);
  StepWalk best = *std::min_element(
      walks.begin(), walks.end(),
      [&](const StepWalk& a, const StepWalk& b) { return cost(mask, a) < cost(mask, b); });
  set_turn(mask, best);
  return best;
}

template <class T>
std::vector<T> step_taps(const Stencil<T>& stencil) {
  std::vector<T> taps;
  if (stencil.method == Method::separable) {
    taps = stencil.row;
    taps.insert(taps.end(), stencil.column.begin(), stencil.column.end());
    return taps;
  }
  for (const T tap : stencil.taps)
    if (stencil.multiply_zeros || tap != 0) taps.push_back(tap);
  return taps;
}

template std::optional<StepMask> direct_step_mask(int, Index, Index, const std::vector<float>&,
                                                  bool);
template std::optional<StepMask> direct_step_mask(int, Index, Index, const std::vector<double>&,
                                                  bool);
template std::optional<StepMask> separable_step_mask(int, const std::vector<float>&,
                                                     const std::vector<float>&, bool);
template std::optional<StepMask> separable_step_mask(int, const std::vector<double>&,
                                                     const std::vector<double>&, bool);
template std::optional<StepMask> step_mask(const Stencil<float>&, std::array<Index, 2>);
template std::optional<StepMask> step_mask(const Stencil<double>&, std::array<Index, 2>);
template std::vector<float> step_taps(const Stencil<float>&);
template std::vector<double> step_taps(const Stencil<double>&);

}  // namespace stencil::generated
