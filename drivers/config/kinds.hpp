#pragma once

namespace stencil {

enum class Operation { correlate, convolve };
enum class MissingPolicy { propagate, renormalize, fill };
/// Source of the points beyond the ends of a selection: the data of the file, or the boundary
/// rules.
enum class Edges { data, boundary };
/// Treatment of points beyond the edges of the data: by the boundary rules, or as missing points.
enum class BeyondEdges { boundary, missing };
/// Interpretation of a packed input: unpacked values (scale and offset applied), or stored numbers.
enum class Packed { values, stored };
/// Part of the output that is read back and compared before the output gets its final name.
enum class Verification { all, none };
/// Contents of the input's file that are copied to the output: only the contents that belong to the
/// dataset (none), or the rest of the file as well (rest).
enum class Copy { none, rest };
/// Action when time steps produce the first NaN or infinity: stop the run, or write a note.
enum class Nonfinite { stop, note };
/// The type in which the configuration requests that sums are computed.
enum class PrecisionRequest { automatic, float32, float64 };
/// Use of an existing checkpoint: continue from it automatically, or never.
enum class Restart { automatic, never };
/// Style of the progress display. `automatic` shows a bar on a terminal, and otherwise lines.
enum class ProgressStyle { automatic, bar, lines, none };

}  // namespace stencil
