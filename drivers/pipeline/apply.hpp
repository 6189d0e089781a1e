#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

struct ApplyOptions {
  /// OpenMP threads that compute; 1: the calling thread alone. The results have the same bits for
  /// any number.
  int threads = 1;
  /// The axes of the arrays that are x, {y, x} or {batch, y, x} of the stages; -1 is the last axis
  /// of each array. Without them the last axis is x and the one before it y. All other axes fold
  /// into batch; where the batch axis is given, the stages are applied along the others one by one.
  std::vector<int> axes{};
  /// The type that sums are computed in. Without it float32 where the output is float32 and the
  /// input float32 or an integer type of 8 or 16 bits, else float64.
  std::optional<Precision> precision{};
  IntegerCast cast = IntegerCast::truncate;  ///< of outputs that are integers
};

/// The shape of the output of some stages. It has as many axes as the input; outputs of a bank or
/// of a mask of channels multiply the last of the axes that fold into batch, or, where there is
/// none, stand along an axis of their own before the others.
///
/// @param given  ApplyOptions::axes
/// @throws UsageError  axes that are empty, too many, or not those of the shape
/// @throws ShapeError  as make_chain()
AxisList output_shape(const std::vector<Stage>& stages, const AxisList& input_shape,
                      const std::vector<int>& given = {});

/// Applies a chain of stages to an array: arrays in, arrays out, in the memory of the host. Needs
/// no MPI, no Session and no ghosts around the array. Keeps no state but a small cache of plans for
/// chains and shapes that come again; may be called by several threads at the same time.
///
///     const std::vector<float> image(100 * 100);
///     std::vector<float> smooth(image.size());
///     const Stage stage{.mask = Mask::grid(std::vector<double>(9, 1.0 / 9), 3, 3)};
///     apply({stage}, ArrayView(image.data(), {100, 100}), ArrayView(smooth.data(), {100, 100}));
///
/// The results have the same bits as those of a Pipeline on one rank. NaN and Inf follow IEEE
/// arithmetic. Large arrays are fastest where rows are contiguous and the type is the type that
/// sums are computed in; all others are copied through the cache box by box.
///
/// @param stages   as for a Pipeline
/// @param input    any strides; not changed
/// @param output   of the output_shape(); axes that fold into batch may also be cut or merged in
///                 another way, with the same points in row-major order. May overlap the input,
///                 which is then read as it was before the call; no two of its own points may
///                 overlap. Every point is written
/// @throws UsageError   a null pointer, axes without points, strides that make points of the output
///                      overlap, threads below 1, axes that do not exist
/// @throws ShapeError   as make_chain(); an output of another shape
/// @throws WordsError   STENCIL_SIMD, which is read by every call, names no vector extension of
///                      this processor
/// @throws MemoryError  no memory for a copy of points
void apply(const std::vector<Stage>& stages, const AnyInput& input, const AnyOutput& output,
           const ApplyOptions& options = {});

}  // namespace stencil
