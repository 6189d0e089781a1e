#pragma once

#include "framework/grid/box.hpp"

namespace stencil::cpu {

/// Divides the outputs of one call into pieces, which threads compute one by one. Panels along x
/// are so narrow that the rows under a mask stay in the cache. There are so many strips along y
/// that every thread has work. The division does not change the bits of the result.
class WorkCut {
 public:
  /// @param extent   outputs `[batch, y, x]`, none of them 0
  /// @param panel    largest number of points along x of a piece
  /// @param overlap  rows of intermediate results that two consecutive strips both compute
  WorkCut(const Point& extent, Index panel, Index overlap, int threads);

  Index count() const { return extent_[0] * strips_ * panels_; }
  /// Returns piece n, which may be empty. Adjacent pieces along x are consecutive.
  Box piece(Index n) const;
  /// Number of points along x of the widest piece.
  Index panel() const { return panel_; }

 private:
  Point extent_;
  Index panel_ = 0, panels_ = 0;
  Index strip_ = 0, strips_ = 0;
};

/// Width in points of the widest panel for which `rows` rows fit into the second-level cache.
Index cached_panel(Index rows, Index element_size);

/// Returns whether results of `bytes` bytes should be written with streaming stores. This is the
/// case if the last-level cache would evict the results before they are read again. Streaming
/// stores avoid reading each line first, which is a third of the traffic.
bool worth_streaming(double bytes);

/// Returns the number of threads for this number of multiplications: 1, or the whole team of the
/// calling thread.
int worthwhile_threads(double multiplications);

}  // namespace stencil::cpu
