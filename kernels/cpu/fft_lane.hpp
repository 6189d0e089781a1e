#pragma once

#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// What FftPlan holds, for kernels that may call no function of the standard library.
template <class T>
struct FftTables {
  Index points;
  Index outputs;  ///< of one block
  const int* radices;
  int passes;
  const T* twiddles;
  const T* spectrum;
};

/// One pair of blocks on one line: what one lane of the vectors transforms. Positions count from
/// the first input of the pair, and from its first output.
template <class T>
struct FftLane {
  const T* source = nullptr;  ///< input 0
  Index inputs = 0;           ///< how many there are; the others count as +0
  T* target = nullptr;        ///< output `first`
  Index first = 0, last = 0;  ///< outputs that are written, of both blocks
};

/// Most lanes of any vector extension and type.
inline constexpr int most_fft_lanes = 16;

/// Elements of the memory in which `lanes` pairs are transformed: the points of the transforms, and
/// a stage of 8 vectors of points from each lane.
inline Index fft_tile(Index points, int lanes) {
  return 2 * lanes * (points + 8 * lanes);
}

}  // namespace stencil::cpu
