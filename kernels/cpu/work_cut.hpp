#pragma once

#include "framework/grid/box.hpp"

namespace stencil::cpu {

/// The outputs of one call divided into pieces that threads compute one by one: panels along x so
/// narrow that the rows under a mask stay in the cache, and strips along y so many that every
/// thread has work. The division does not change the bits of the result.
class WorkCut {
 public:
  /// @param extent   outputs `[batch, y, x]`, none of them 0
  /// @param panel    most points along x
  /// @param overlap  rows that a strip computes again because the strip before it had them too
  WorkCut(const Point& extent, Index panel, Index overlap, int threads);

  Index count() const { return extent_[0] * strips_ * panels_; }
  /// Piece n; may be empty. Neighbours along x follow each other.
  Box piece(Index n) const;
  /// Points along x of the widest piece.
  Index panel() const { return panel_; }

 private:
  Point extent_;
  Index panel_ = 0, panels_ = 0;
  Index strip_ = 0, strips_ = 0;
};

/// Widest panel of which `rows` rows of elements stay in the second-level cache.
Index cached_panel(Index rows, Index element_size);

/// Whether results of `bytes` bytes should bypass the caches. The results would be evicted from the
/// last level before they are read again, and streaming saves reading each line first, which is a
/// third of the traffic.
bool worth_streaming(double bytes);

/// Number of threads worth waking for this number of multiplications: 1, or the whole team of the
/// calling thread.
int worthwhile_threads(double multiplications);

}  // namespace stencil::cpu
