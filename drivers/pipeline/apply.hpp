#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

struct ApplyOptions {
  /// OpenMP threads that compute, up to four for each processor; 1: the calling thread alone. The
  /// results have the same bits for any number.
  int threads = 1;
  /// The axes of the arrays that are x, {y, x} or {batch, y, x} of the stages; -1 is the last axis
  /// of each array. Without them the last axis is x and the one before it y. All other axes fold
  /// into batch; if the batch axis is given, the stages are applied for each index of the other
  /// axes separately.
  std::vector<int> axes{};
  /// The type that sums are computed in. Without it float32 where the output is float32 and the
  /// input float32 or an integer type of 8 or 16 bits, else float64.
  std::optional<Precision> precision{};
  IntegerCast cast = IntegerCast::truncate;  ///< of outputs that are integers
  /// If set, the calling thread calls this function between parts of the work, which is several
  /// times a second on large arrays. An error that the function throws ends the call; the points of
  /// the output then have unspecified values.
  void (*between_parts)() = nullptr;
};

/// The shape of the output of some stages. It has as many axes as the input. Outputs of a bank or
/// of a mask of channels multiply the last of the axes that fold into batch; if there is none, they
/// form an additional axis in front.
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
/// Chains of several stages, and repeated steps, take memory for one or two arrays of the size of
/// each intermediate result, in the type that sums are computed in; a single stage of one step
/// takes a few megabytes for each thread.
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
///                      overlap, threads below 1 or more than four for each processor, axes
///                      that do not exist
/// @throws ShapeError   as make_chain(); an output of another shape
/// @throws WordsError   STENCIL_SIMD, which is read by every call, names no vector extension of
///                      this processor
/// @throws MemoryError  no memory for a copy of points
void apply(const std::vector<Stage>& stages, const AnyInput& input, const AnyOutput& output,
           const ApplyOptions& options = {});

/// apply() with stages and options that are given once, for many arrays of the same shapes and
/// types: work that does not depend on the points, mainly on the masks, is done once. Copies share
/// the same plan. May be called by several threads at the same time. A filter that was moved from
/// may only be assigned to or destroyed.
///
///     const Filter smooth({{.mask = Mask::gaussian({.sigma = 2})}}, {480, 640}, Element::float32);
///     for (auto& [frame, result] : frames) smooth(frame, result);
class Filter {
 public:
  /// @param input_shape  of the inputs
  /// @param input        type of the inputs' elements
  /// @param output       type of the outputs' elements; without it that of the inputs
  /// @throws             as apply()
  Filter(const std::vector<Stage>& stages, const AxisList& input_shape, Element input,
         std::optional<Element> output = {}, const ApplyOptions& options = {});

  Filter(const Filter& other);
  Filter(Filter&& other) noexcept;
  Filter& operator=(Filter other) noexcept;
  ~Filter();

  /// The shape of the outputs, see stencil::output_shape().
  const AxisList& output_shape() const;

  /// Filters one array, as apply() does.
  /// @throws UsageError  as apply(); arrays whose types are not those of this filter
  /// @throws ShapeError  arrays whose shapes are not those of this filter
  void operator()(const AnyInput& input, const AnyOutput& output) const;

 private:
  struct Bound;
  const Bound* bound_;  ///< owned; no std::unique_ptr, as <memory> is half of what this includes
};

}  // namespace stencil
