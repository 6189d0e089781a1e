#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/fft_work.hpp"
#include "kernels/cpu/row_kernels.hpp"

namespace stencil::cpu {

/// Copies pieces along y to the lines of a panel, which transforms require, and back.
template <class T>
class FftColumns {
 public:
  /// @param streamed  use streaming stores for results if their alignment allows it
  FftColumns(const FftWork<T>& work, const RowKernels<T>& kernels, Index source_pitch,
             Index target_pitch, bool streamed)
      : work_(work),
        kernels_(kernels),
        source_pitch_(source_pitch),
        target_pitch_(target_pitch),
        streamed_(streamed) {}

  Index pitch() const { return fft_panel_pitch(work_.blocks); }

  /// Copies all inputs of `columns` adjacent pieces to a panel. Each line is padded with +0 to
  /// FftBlocks::reach() elements.
  ///
  /// @param piece  the first of the pieces
  /// @param panel  `[columns, reach]`; lines are pitch() elements apart
  void fill(const typename FftWork<T>::Piece& piece, Index columns, T* panel) const {
    const Index step = work_.column_step(), pitch = this->pitch();
    const T* source = work_.input(piece, 0);
    if (step == 1) {
      kernels_.transpose(source, source_pitch_, piece.inputs, columns, panel, pitch, true, false);
    } else {
      for (Index row = 0; row < piece.inputs; ++row)
        for (Index k = 0; k < columns; ++k)
          panel[k * pitch + row] = source[row * source_pitch_ + k * step];
    }
    for (Index k = 0; k < columns; ++k)
      std::fill(panel + k * pitch + piece.inputs, panel + k * pitch + work_.blocks.reach(), T(0));
  }

  /// Copies the results of `columns` adjacent pieces from a panel to the target.
  ///
  /// @param from  the first requested result of the first piece, in its line of the panel; the
  ///              results of the other pieces are in the following lines
  void empty(const typename FftWork<T>::Piece& piece, Index columns, const T* from) const {
    T* target = work_.output(piece, piece.outputs.first);
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(target) % 64 == 0 && target_pitch_ * sizeof(T) % 64 == 0;
    kernels_.transpose(from, pitch(), columns, piece.outputs.extent(), target, target_pitch_, false,
                       streamed_ && aligned);
  }

  /// Returns whether all inputs of the pieces are finite.
  bool all_finite(const typename FftWork<T>::Piece& piece, Index columns) const {
    // with a stride, the points between the columns are tested as well
    const Index across = (columns - 1) * work_.column_step() + 1;
    const T* source = work_.input(piece, 0);
    for (Index row = 0; row < piece.inputs; ++row)
      if (!kernels_.all_finite(source + row * source_pitch_, across)) return false;
    return true;
  }

 private:
  const FftWork<T>& work_;
  const RowKernels<T>& kernels_;
  Index source_pitch_, target_pitch_;
  bool streamed_;
};

}  // namespace stencil::cpu
