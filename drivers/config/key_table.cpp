// The table of keys: the only source of each key's values, default, range and help text.
#include "drivers/config/keys.hpp"
#include "drivers/config/kind_words.hpp"

namespace stencil {

namespace {

constexpr double most_taps = 16777216;           // 2^24, the limit in kernels/families/families.cpp
constexpr double most_exact = 9007199254740992;  // 2^53, up to which doubles represent all integers
constexpr Range positive{.low = 0, .open = true};
constexpr Range counts{.low = 1, .high = most_exact};
constexpr Range tap_counts{.low = 1, .high = most_taps};

constexpr std::string_view rank_words[] = {"auto", "1", "2"};
constexpr std::string_view window_words[] = {
    "hamming", "hann",   "blackman", "blackmanharris", "nuttall",     "bartlett",
    "boxcar",  "cosine", "flattop",  "kaiser:BETA",    "gaussian:STD"};

constexpr Key table[] = {
    {.section = "input",
     .name = "file",
     .values = "path, a pattern such as day/*.h5, or a list of paths",
     .doc = "HDF5 file to read; several files are joined in the order of their times, or of their "
            "names if they have no times.",
     .required = true},
    {.section = "input",
     .name = "dataset",
     .values = "HDF5 path, or a pattern such as /Raw[*]/data",
     .doc = "Dataset to read: 1D, 2D or more; int8 to uint64, float16 to float64, bfloat16.",
     .required = true},
    {.section = "input",
     .name = "join",
     .values = "auto, axis number, negative from the last, or new",
     .standard = "auto",
     .doc = "Axis along which several files follow each other; auto: the axis that has times or a "
            "sampling rate, otherwise the first; new: files of one shape are stacked along a new "
            "first "
            "axis.",
     .range = {-32, 31}},
    {.section = "input",
     .name = "gaps",
     .values = "",
     .standard = "refuse",
     .doc = "What to do with gaps in time between or inside files: refuse: the run ends with an "
            "error; fill: the gaps become missing points (NaN, or missing.value); split: each "
            "stretch without a gap is filtered separately and written to output.file with a "
            "number: out_0.h5, out_1.h5.",
     .choices = words_of<Gaps>},
    {.section = "input",
     .name = "overlap",
     .values = "",
     .standard = "refuse",
     .doc = "What to do where files overlap in time: refuse: the run ends with an error; first, "
            "last: the points of the file that begins first or last are used.",
     .choices = words_of<Overlap>},
    {.section = "input",
     .name = "clock",
     .values = "",
     .standard = "files",
     .doc = "Which clock gives the times of the points of several files: files: the times of each "
            "file, so that a drift of more than half a point is a gap or an overlap; first: the "
            "times of the "
            "first file and the number of points since.",
     .choices = words_of<Clock>},
    {.section = "input",
     .name = "select",
     .values = "all, or slices of the axes such as 6000:12000:2, 500:900; NAME LOW .. HIGH for "
               "coordinates",
     .standard = "all",
     .doc =
         "Part of the dataset, as NumPy slices, or by the values of a scale, both ends included: "
         "time 2024-05-01T00:10 .. 2024-05-01T00:20."},
    {.section = "input",
     .name = "edges",
     .values = "",
     .standard = "data",
     .doc = "The values beyond the ends of that part: data: the points of the file; boundary: as "
            "the key boundary specifies.",
     .choices = words_of<Edges>},
    {.section = "input",
     .name = "axis",
     .values = "auto, or axis number, negative from the last",
     .standard = "auto",
     .doc = "Axis that 1D masks run along; all other axes are batch; auto: the axis for which the "
            "file gives a sampling rate or times, if there is exactly one; otherwise the last.",
     .range = {-32, 31}},
    {.section = "input",
     .name = "sampling_rate",
     .values = "auto, or a number > 0",
     .standard = "auto",
     .doc = "Samples per unit (per second: Hz) along that axis, for cutoff; auto: from the file: "
            "a time scale, Xspacing, OutputDataRate, SamplingRate, sample_rate, header/dt, time or "
            "PulseRate.",
     .range = positive},
    {.section = "input",
     .name = "packed",
     .values = "",
     .standard = "values",
     .doc = "What is filtered if the input has scale_factor, add_offset or _Unsigned: values: the "
            "values that its numbers represent; stored: the numbers as they are stored.",
     .choices = words_of<Packed>},

    {.section = "output",
     .name = "file",
     .values = "path",
     .doc = "HDF5 file to write.",
     .required = true},
    {.section = "output",
     .name = "dataset",
     .values = "HDF5 path",
     .standard = "input.dataset",
     .doc = "Dataset to write."},
    {.section = "output",
     .name = "dtype",
     .values = "",
     .standard = "auto",
     .doc = "Element type; auto: the type in which sums are computed. Integers are rounded and "
            "saturated; floating-point types are rounded.",
     .choices = words_of<std::optional<ElementType>>},
    {.section = "output",
     .name = "scale",
     .values = "none, auto, or SCALE OFFSET",
     .standard = "none",
     .doc = "Packs an integer dtype: value = number * SCALE + OFFSET, as the attributes "
            "scale_factor and add_offset state; auto: the packing of the input."},
    {.section = "output",
     .name = "chunk",
     .values = "none, or extents such as 256x1024",
     .standard = "none",
     .doc = "Chunk extents, one for each dataset axis; none: contiguous, or chosen by the program "
            "if compressed.",
     .range = counts},
    {.section = "output",
     .name = "compression",
     .values = "none, or gzip:1 .. gzip:9",
     .standard = "none",
     .doc = "Lossless compression, with byte shuffle.",
     .range = {1, 9}},
    {.section = "output",
     .name = "overwrite",
     .values = "false, true",
     .standard = "false",
     .doc = "Whether an output file that exists may be replaced."},
    {.section = "output",
     .name = "copy",
     .values = "",
     .standard = "none",
     .doc = "What else of the input file is copied; none: only what belongs to the dataset; rest: "
            "all other contents that are valid for the output, too.",
     .choices = words_of<Copy>},
    {.section = "output",
     .name = "verify",
     .values = "",
     .standard = "all",
     .doc = "What is read back from the disk and compared before the file gets its name.",
     .choices = words_of<Verification>},
    {.section = "output",
     .name = "snapshot_every",
     .values = "a whole number >= 0",
     .standard = "0",
     .doc = "Writes snapshots: the input, the points after every n-th step and the points after "
            "the last step, along a new first axis of the dataset; 0: only the points after the "
            "last step.",
     .range = {0, most_exact}},

    {.section = "missing",
     .name = "value",
     .values = "auto, none, attribute, or numbers, nan among them",
     .standard = "auto",
     .doc = "Numbers of the input that are missing points; auto: its _FillValue and missing_value "
            "(ODIM_H5: nodata), what lies outside valid_min, valid_max or valid_range, and the "
            "default fill values of netCDF-4; attribute: as auto, with ODIM_H5's undetect and "
            "without these default values."},
    {.section = "missing",
     .name = "policy",
     .values = "",
     .standard = "propagate",
     .doc = "How missing points are treated: propagate: outputs whose mask covers a missing point "
            "are missing; "
            "renormalize: only valid points are used and the weights are rescaled; fill: missing "
            "points become fill_value.",
     .choices = words_of<MissingPolicy>},
    {.section = "missing",
     .name = "min_valid",
     .values = "",
     .standard = "0.5",
     .doc =
         "policy = renormalize: below this share of the mask's weight the output is missing too.",
     .range = {0, 1}},
    {.section = "missing",
     .name = "fill_value",
     .values = "",
     .standard = "0",
     .doc = "policy = fill: the value of missing points."},
    {.section = "missing",
     .name = "edges",
     .values = "",
     .standard = "boundary",
     .doc = "The points beyond the edges: boundary: according to boundary of the stages; missing: "
            "they are missing points, treated as policy specifies.",
     .choices = words_of<BeyondEdges>},
    {.section = "missing",
     .name = "keep",
     .values = "false, true",
     .standard = "false",
     .doc = "Whether points that are missing in the input are missing in the output even if policy "
            "gives them a value."},
    {.section = "missing",
     .name = "joint",
     .values = "false, true",
     .standard = "false",
     .doc = "policy = renormalize: whether two 1D stages are renormalized together, by the valid "
            "points under the product of both masks, as a mask of rank 2 is."},
    {.section = "missing",
     .name = "mask",
     .values = "none, or a dataset: file.h5:/mask",
     .standard = "none",
     .doc = "Which points of the input are valid: those where this dataset is neither 0 nor NaN. "
            "This dataset has the shape of the input, or that shape without some leading axes."},

    {.section = "stencil",
     .name = "operation",
     .values = "",
     .standard = "correlate",
     .doc = "correlate: the mask is applied as written; convolve: the mask is flipped first.",
     .choices = words_of<Operation>},
    {.section = "stencil",
     .name = "mask",
     .values = "taps, rows of taps, file.h5:/dataset, or a family",
     .doc =
         "The weights, for example 1 2 1, or rows 0 1 0; 1 -4 1; 0 1 0 (2D; one row: 1 2 1;), or "
         "planes of rows with | between them (3D), or masks.h5:/psf; bank.h5:/bank[3] is one row "
         "of a bank, and bank.h5:/bank[0:40] applies 40 rows, for which the output has a new first "
         "axis. A mask [out, in, height, width] in a file mixes "
         "the channels of the last "
         "three axes. Families are listed below.",
     .required = true},
    {.section = "stencil",
     .name = "rank",
     .values = "auto, 1, 2",
     .standard = "auto",
     .doc = "Families: 1 runs along one axis, 2 over the last two axes; auto: 2, or 1 if the "
            "dataset has one axis or the key axis is given.",
     .choices = rank_words},
    {.section = "stencil",
     .name = "axis",
     .values = "axis number, negative from the last",
     .standard = "input.axis",
     .doc = "Axis that a 1D mask runs along, or of the derivative of sobel and prewitt.",
     .range = {-32, 31}},
    {.section = "stencil",
     .name = "axes",
     .values = "one to three axes, as numbers (negative from the last) or names in the file",
     .doc =
         "Axes that the mask runs along: a mask of rank 1 along one; a mask of rank 2 along two, "
         "its rows along the first (y) and its columns along the second (x); a mask of three "
         "axes along three. All other axes are batch.",
     .range = {-32, 31}},
    {.section = "stencil",
     .name = "sigma",
     .values = "a number > 0, or one per axis; optionally followed by a unit",
     .doc = "Standard deviation in points, or in a unit of the coordinates, such as 100 km or 2 s.",
     .range = positive},
    {.section = "stencil",
     .name = "order",
     .values = "0 .. 20, or one per axis",
     .standard = "0",
     .doc = "Order of the derivative of the Gaussian.",
     .range = {0, 20}},
    {.section = "stencil",
     .name = "truncate",
     .values = "",
     .standard = "4",
     .doc = "Standard deviations at which the Gaussian is cut off.",
     .range = positive},
    {.section = "stencil",
     .name = "radius",
     .values = "points, or one per axis; of a Gaussian whole",
     .standard = "0",
     .doc = "Distance from the centre of the mask to its edge, in points; for a Gaussian 0 means: "
            "as given by truncate.",
     .range = {0, most_taps / 2 - 1}},
    {.section = "stencil",
     .name = "inner",
     .values = "a number > 0, or one per axis",
     .doc = "Radius of the hole of an annulus, in points.",
     .range = positive},
    {.section = "stencil",
     .name = "ratio",
     .values = "a number > 1",
     .standard = "1.6",
     .doc = "Ratio of the width of the second Gaussian of dog to that of the first.",
     .range = positive},
    {.section = "stencil",
     .name = "size",
     .values = "points, or one per axis; savgol: one, odd",
     .doc = "Width of the mask.",
     .range = tap_counts},
    {.section = "stencil",
     .name = "taps",
     .values = "1 .. 16777216; highpass, bandstop: odd",
     .doc = "Number of taps of the filter.",
     .range = tap_counts},
    {.section = "stencil",
     .name = "cutoff",
     .values = "a number > 0; bandpass, bandstop: two, rising",
     .doc = "Cutoff in the unit of the sampling rate (Hz).",
     .range = positive},
    {.section = "stencil",
     .name = "window",
     .values =
         "hamming, hann, blackman, blackmanharris, nuttall, bartlett, boxcar, cosine, flattop, "
         "kaiser:BETA, gaussian:STD",
     .standard = "hamming",
     .doc = "Window of the filter design, as in scipy.signal.firwin.",
     .choices = window_words},
    {.section = "stencil",
     .name = "template",
     .values = "file.h5:/dataset, of one axis",
     .doc = "The pattern that a matched filter searches for."},
    {.section = "stencil",
     .name = "psd",
     .values = "none, or file.h5:/dataset, of one axis",
     .standard = "none",
     .doc = "Power spectral density of the noise, from frequency 0 to half of the sampling rate."},
    {.section = "stencil",
     .name = "polyorder",
     .values = "0 .. size - 1",
     .doc = "Order of the polynomial that savgol fits.",
     .range = {0, 100}},
    {.section = "stencil",
     .name = "deriv",
     .values = "0 .. polyorder",
     .standard = "0",
     .doc = "Derivative that savgol computes.",
     .range = {0, 100}},
    {.section = "stencil",
     .name = "delta",
     .values = "a number > 0, or one per axis; coordinates",
     .standard = "1",
     .doc = "Spacing of the points, for derivatives; if it is given, sobel and prewitt are "
            "derivatives, divided by the sum of their absolute weights, too; coordinates: the "
            "spacing of the dimension scale of the axis, in "
            "metres for latitudes and longitudes.",
     .range = positive},
    {.section = "stencil",
     .name = "boundary",
     .values = "reflect, mirror, nearest (= clamp), wrap (= periodic), zero, constant, interp; or "
               "one per axis",
     .standard = "reflect",
     .doc = "The values beyond the edges, as in scipy.ndimage; interp: for savgol, as in "
            "scipy.signal.savgol_filter.",
     .choices = words_of<BoundaryRule>},
    {.section = "stencil",
     .name = "boundary_value",
     .values = "a number, or nan",
     .standard = "0",
     .doc = "Value beyond the edges where boundary = constant; nan: missing points."},
    {.section = "stencil",
     .name = "extent",
     .values = "",
     .standard = "same",
     .doc = "Outputs: same: as many as inputs; valid: only those that need no boundary; full: all "
            "whose mask covers an input.",
     .choices = words_of<Extent>},
    {.section = "stencil",
     .name = "origin",
     .values = "a whole number, or one per axis",
     .standard = "0",
     .doc = "Shift of the mask's centre, as in scipy.ndimage.",
     .range = {-most_taps, most_taps}},
    {.section = "stencil",
     .name = "stride",
     .values = "a whole number >= 1, or one per axis",
     .standard = "1",
     .doc = "Decimation: only every n-th output is computed.",
     .range = counts},
    {.section = "stencil",
     .name = "steps",
     .values = "a whole number >= 1",
     .standard = "1",
     .doc = "Applies the stage this many times: time stepping.",
     .range = counts},
    {.section = "stencil",
     .name = "until_change_below",
     .values = "a number > 0, optionally followed by rms",
     .doc = "Ends the steps of the last stage early: when no point changes by this much in a step; "
            "rms: when the root mean square of the changes is below this number.",
     .range = positive},
    {.section = "stencil",
     .name = "groups",
     .values = "a whole number >= 1",
     .standard = "1",
     .doc = "Masks [out, in, height, width]: number of groups of channels; each output depends "
            "only on the channels of its group. With as many groups as channels, the convolution "
            "is depthwise.",
     .range = counts},
    {.section = "stencil",
     .name = "method",
     .values = "",
     .standard = "auto",
     .doc =
         "direct: all taps at once; separable: two 1D passes, or a sum of two or three such pairs; "
         "fft: for long 1D and large 2D masks; auto: the method with the least estimated time.",
     .choices = words_of<MethodRequest>},

    {.section = "run",
     .name = "backend",
     .values = "",
     .standard = "auto",
     .doc = "Whether CPUs or GPUs compute.",
     .choices = words_of<Backend>},
    {.section = "run",
     .name = "precision",
     .values = "",
     .standard = "auto",
     .doc = "Type in which sums are computed; auto: float64 for float64, int64 and uint64 input, "
            "else float32.",
     .choices = words_of<PrecisionRequest>},
    {.section = "run",
     .name = "decomposition",
     .values = "auto, or blocks per axis such as 4 or 2x2",
     .standard = "auto",
     .doc = "How the points are split over the MPI ranks.",
     .range = {1, 2147483647}},
    {.section = "run",
     .name = "memory",
     .values = "auto, or bytes such as 4GiB",
     .standard = "auto",
     .doc = "Memory limit per rank; arrays that exceed it are processed in windows."},
    {.section = "run",
     .name = "transport",
     .values = "",
     .standard = "auto",
     .doc = "How halos travel between ranks.",
     .choices = words_of<TransportRequest>},
    {.section = "run",
     .name = "time_step",
     .values = "a number > 0 and its unit, such as 0.1 s",
     .doc = "The time of a step, for the times of snapshots; without it they are step numbers.",
     .range = positive},
    {.section = "run",
     .name = "nonfinite",
     .values = "",
     .standard = "stop",
     .doc = "What to do when time steps produce Inf, or NaN that cannot come from NaN of the "
            "input: stop: the "
            "run ends with status 2; note: the run continues with a note.",
     .choices = words_of<Nonfinite>},
    {.section = "run",
     .name = "look_every",
     .values = "auto, or a whole number >= 1",
     .standard = "auto",
     .doc =
         "Steps between two checks of the points, for until_change_below, nonfinite and progress; "
         "auto: 100 with until_change_below, else 1000.",
     .range = counts},
    {.section = "run",
     .name = "checkpoint",
     .values = "path",
     .doc = "File with the state after the steps done so far. A run that was stopped or killed "
            "continues from it when started again; snapshots stay in the unfinished output. The "
            "file is removed when the run is complete."},
    {.section = "run",
     .name = "checkpoint_every",
     .values = "a time (10 min, 2 hours, 00:30:00), or steps (1000 steps)",
     .standard = "10 min",
     .doc = "How often the checkpoint is written."},
    {.section = "run",
     .name = "restart",
     .values = "",
     .standard = "auto",
     .doc = "auto: continue from the checkpoint if there is one; never: start from the beginning.",
     .choices = words_of<Restart>},
    {.section = "run",
     .name = "time_limit",
     .values = "none, auto, or a time (55 min, 00:55:00)",
     .standard = "none",
     .doc = "The run stops before this time has passed, with a checkpoint and status 75; auto: "
            "before the end of the Slurm job."},
};

}  // namespace

std::span<const Key> all_keys() {
  return table;
}

}  // namespace stencil
