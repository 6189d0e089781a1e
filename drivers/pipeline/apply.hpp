#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

struct ApplyOptions {
  /// Number of OpenMP threads, up to four per processor; 1: only the calling thread computes. The
  /// results have the same bits for any number of threads.
  int threads = 1;
  /// The axes of the arrays that the stages use as x, as {y, x} or as {batch, y, x}; -1 is the last
  /// axis of each array. Default: the last axis is x and the second-to-last axis is y. All other
  /// axes are folded into batch. If `axes` includes a batch axis, nothing is folded, and the stages
  /// are applied separately for each index of the other axes.
  std::vector<int> axes{};
  /// The type in which sums are computed. Default: float32 if the output is float32 and the input
  /// is float32 or an integer type of 8 or 16 bits, otherwise float64.
  std::optional<Precision> precision{};
  IntegerCast cast = IntegerCast::truncate;  ///< conversion to integer outputs
  /// If set, the calling thread calls this function between parts of the work, several times a
  /// second on large arrays. If the function throws, the call of apply() ends with this error, and
  /// the values of the output are unspecified.
  void (*between_parts)() = nullptr;
};

/// Returns the shape of the output of some stages. The output has as many axes as the input. A
/// bank, or a mask of channels, multiplies the extent of the last axis that is folded into batch.
/// Without such an axis, the output has an additional first axis.
///
/// @param given  ApplyOptions::axes
/// @throws UsageError  an axis has no points, or `given` has more than three axes, an axis twice,
///                     or an axis that the shape lacks
/// @throws ShapeError  see make_chain()
AxisList output_shape(const std::vector<Stage>& stages, const AxisList& input_shape,
                      const std::vector<int>& given = {});

/// Applies a chain of stages to an array in host memory and writes the result to another array.
/// Needs no MPI, no Session and no ghost points around the array. Thread-safe; the only state is a
/// small cache of plans for recent chains and shapes.
///
///     const std::vector<float> image(100 * 100);
///     std::vector<float> smooth(image.size());
///     const Stage stage{.mask = Mask::grid(std::vector<double>(9, 1.0 / 9), 3, 3)};
///     apply({stage}, ArrayView(image.data(), {100, 100}), ArrayView(smooth.data(), {100, 100}));
///
/// Chains of several stages, and repeated steps, need memory for one or two arrays of the size of
/// each intermediate result, in the type in which sums are computed. A single stage with one step
/// needs a few megabytes per thread.
///
/// The results have the same bits as those of a Pipeline on one rank. NaN and infinities follow
/// IEEE arithmetic. Large arrays are processed fastest if rows are contiguous and the element type
/// is the type in which sums are computed. Other arrays are copied and converted box by box.
///
/// @param stages   see Pipeline
/// @param input    any strides; not changed
/// @param output   an array of output_shape(). Axes that are folded into batch may also be split or
///                 merged differently, with the same points in row-major order. The output may
///                 overlap the input; the result is then the same as for arrays that do not
///                 overlap. Points of the output must not overlap each other. Every point is
///                 written
/// @throws UsageError   a null pointer, axes without points, strides for which points of the output
///                      overlap, `threads` below 1 or above four per processor, axes that do not
///                      exist
/// @throws ShapeError   see make_chain(); or the output has a wrong shape
/// @throws WordsError   the environment variable STENCIL_SIMD, which every call reads, does not
///                      name a vector extension of this processor
/// @throws MemoryError  the memory for a copy of points is insufficient
void apply(const std::vector<Stage>& stages, const AnyInput& input, const AnyOutput& output,
           const ApplyOptions& options = {});

/// Applies fixed stages and options to many arrays of the same shapes and types, like apply(). Work
/// that does not depend on the points, mainly on the masks, is done only once. Copies of a filter
/// share one plan. Thread-safe. After a move, the only valid operations on the source are
/// assignment and destruction.
///
///     const Filter smooth({{.mask = Mask::gaussian({.sigma = 2})}}, {480, 640}, Element::float32);
///     for (auto& [frame, result] : frames) smooth(frame, result);
class Filter {
 public:
  /// @param input_shape  shape of the inputs
  /// @param input        element type of the inputs
  /// @param output       element type of the outputs; default: that of the inputs
  /// @throws             see apply()
  Filter(const std::vector<Stage>& stages, const AxisList& input_shape, Element input,
         std::optional<Element> output = {}, const ApplyOptions& options = {});

  Filter(const Filter& other);
  Filter(Filter&& other) noexcept;
  Filter& operator=(Filter other) noexcept;
  ~Filter();

  /// Returns the shape of the outputs, see stencil::output_shape().
  const AxisList& output_shape() const;

  /// Filters one array, like apply().
  /// @throws UsageError  see apply(); or the types of the arrays differ from the types passed to
  ///                     the constructor
  /// @throws ShapeError  the shapes of the arrays are not input_shape and output_shape()
  void operator()(const AnyInput& input, const AnyOutput& output) const;

 private:
  struct Bound;
  const Bound* bound_;  ///< owned; not a std::unique_ptr, because including <memory> is expensive
};

}  // namespace stencil
