#pragma once

namespace stencil {

enum class Operation { correlate, convolve };
enum class MissingPolicy { propagate, renormalize, fill };
/// What lies beyond the ends of a selection: the data of the file, or what the boundary rules say.
enum class Edges { data, boundary };
/// What lies beyond the edges: what the boundary rules say, or missing points.
enum class BeyondEdges { boundary, missing };
/// What the points of a packed input are: the values that its numbers stand for, or the numbers.
enum class Packed { values, stored };
/// What of the output is read back before it gets its name.
enum class Verification { all, none };
/// Which contents of the input's file are copied to the output: those that belong to the dataset,
/// or the rest of the file, too.
enum class Copy { none, rest };
/// What happens when time steps make the first NaN or Inf.
enum class Nonfinite { stop, note };
/// The compute type.
enum class PrecisionRequest { automatic, float32, float64 };
/// Whether a run continues from an existing checkpoint.
enum class Restart { automatic, never };
/// How the progress of a run is shown; automatic: a bar on a terminal, otherwise lines.
enum class ProgressStyle { automatic, bar, lines, none };

}  // namespace stencil
