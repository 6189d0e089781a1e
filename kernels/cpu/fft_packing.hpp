#pragma once

#include <vector>

#include "kernels/cpu/fft_pair.hpp"

namespace stencil::cpu {

/// Packs pairs for an even stride, which needs only every second output: one inverse transform
/// computes the outputs of two pairs (RowKernels::decimate_pairs).
template <class T>
class FftPacking {
 public:
  /// @param tables    tables for single pairs
  /// @param turns     turns of FftPlan
  /// @param together  see fft_together
  /// @param pairs     number of pairs that are transformed together without packing
  FftPacking(const FftTables<T>& tables, const std::vector<FftEight<T>>& turns, int together,
             int pairs)
      : tables_(tables), together_(together), pairs_(pairs) {
    if (together == 1) return;
    const int own = 8 / together;
    turns_.resize(turns.size());
    for (std::size_t k = 0; k < turns.size(); ++k)
      for (int lane = 0; lane < 8; ++lane) {
        const int sequence = lane % own * together;
        turns_[k].re[lane] = turns[k].re[sequence];
        turns_[k].im[lane] = turns[k].im[sequence];
      }
    tables_.together = together;
    tables_.packed_turns = turns_.data();
  }
  FftPacking(const FftPacking&) = delete;  // the tables point to turns_
  FftPacking& operator=(const FftPacking&) = delete;

  const FftTables<T>& tables() const { return tables_; }
  /// Returns whether this number of pairs is packed. Fewer pairs need no second transform.
  bool packs(Index pairs) const { return together_ > 1 && pairs > pairs_; }

  /// Copies the strided results of pair k among pairs that were transformed together.
  ///
  /// @param first   index of the first result before striding, in its pair
  /// @param result  the result of pair k; if `packed`, the results of the two pairs that were
  ///                packed together
  void copy_strided(const T* result, bool packed, Index k, Index first, Index stride, Index count,
                    T* to) const {
    const Index together = packed ? together_ : 1;
    if (packed) result += k / pairs_ * (8 / together);
    // the offsets repeat after 8 results, or after 4 results if pairs are packed
    const Index period = packed ? 4 : 8;
    Index places[8];
    for (Index r = 0; r < period; ++r) {
      const Index dense = first + r * stride;
      places[r] = dense / 8 * 8 + dense % 8 / together;
    }
    Index o = 0;
    for (; o + period <= count; o += period, result += period * stride)
      for (Index r = 0; r < period; ++r) to[o + r] = result[places[r]];
    for (Index r = 0; o + r < count; ++r) to[o + r] = result[places[r]];
  }

 private:
  FftTables<T> tables_;
  int together_, pairs_;
  std::vector<FftEight<T>> turns_;
};

}  // namespace stencil::cpu
