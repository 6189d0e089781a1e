#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// One value for both axes of a mask, or one value for each axis: `{y, x}`.
template <class T>
struct PerAxis {
  T y, x;

  constexpr PerAxis(T both) : y(both), x(both) {}
  constexpr PerAxis(T along_y, T along_x) : y(along_y), x(along_x) {}
};

// Arguments of the families of masks; see Mask. If `axis` is an optional, the mask runs along that
// axis; without a value, the mask runs along y and x. All other arguments without a default must be
// given.

struct Mask::Gaussian {
  PerAxis<double> sigma;   ///< standard deviation in points, above 0
  PerAxis<int> order = 0;  ///< order of the derivative, 0 (the Gaussian itself) to 32
  /// Number of standard deviations from the centre to the end of the mask; not used if `radius` is
  /// above 0.
  double truncate = 4;
  PerAxis<Index> radius =
      0;  ///< number of points from the centre to the end of the mask; 0: use `truncate`
  std::optional<Axis> axis{};
  PerAxis<double> delta = 1;  ///< spacing of points, for derivatives
};

struct Mask::Size {
  PerAxis<Index> size;  ///< number of taps, 1 or more; the centre is tap size / 2
  std::optional<Axis> axis{};
};

struct Mask::Disk {
  PerAxis<double> radius;  ///< in points, above 0; points at this distance are in the disk
  std::optional<Axis> axis{};
};

struct Mask::Annulus {
  PerAxis<double> radius;  ///< in points, above `inner`
  PerAxis<double> inner;   ///< in points, 0 or more; taps at this distance are 0
  std::optional<Axis> axis{};
};

struct Mask::LaplacianOfGaussian {
  PerAxis<double> sigma;  ///< this and the next two members as in Gaussian
  double truncate = 4;
  PerAxis<Index> radius = 0;
  std::optional<Axis> axis{};
  PerAxis<double> delta = 1;  ///< as in Gaussian
};

struct Mask::DifferenceOfGaussians {
  PerAxis<double> sigma;  ///< standard deviation of the narrow Gaussian in points, above 0
  double ratio = 1.6;     ///< ratio of the two standard deviations, above 1
  double truncate = 4;    ///< each Gaussian ends at this number of its standard deviations
  std::optional<Axis> axis{};
};

/// Arguments of lowpass and highpass.
struct Mask::Cutoff {
  Index taps;            ///< odd for highpass
  double cutoff;         ///< frequency of half the amplitude, in the unit of sampling_rate
  double sampling_rate;  ///< points per unit along the axis, for example Hz or points per metre
  /// `hamming`, `hann`, `blackman`, `blackmanharris`, `nuttall`, `bartlett`, `boxcar`, `cosine`,
  /// `flattop`, `kaiser:BETA` or `gaussian:STD`, as in scipy.signal.get_window
  std::string window = "hamming";
  Axis axis = x_axis;
};

/// Arguments of bandpass and bandstop.
struct Mask::Band {
  Index taps;  ///< odd for bandstop
  std::array<double, 2>
      cutoff;            ///< the lower and the upper frequency, in the unit of sampling_rate
  double sampling_rate;  ///< see Cutoff; `window` as well
  std::string window = "hamming";
  Axis axis = x_axis;
};

struct Mask::Matched {
  /// The pattern to search for. The taps are `pattern / sum(pattern^2)`. With a `psd` they are the
  /// pattern divided by this density at each frequency, normalized by their scalar product with the
  /// pattern. The output is then the estimate of the pattern's amplitude with the least variance in
  /// Gaussian noise of this density (Turin, An introduction to matched filters, IRE Trans. Inf.
  /// Theory 6, 1960).
  std::vector<double> pattern;
  /// Power spectral density of the noise in any unit, at evenly spaced frequencies from 0 to half
  /// of the sampling rate; infinity excludes a frequency. If empty, the noise is white.
  std::vector<double> psd{};
  Axis axis = x_axis;
};

struct Mask::Savgol {
  Index size;        ///< number of points to which each polynomial is fitted, odd
  int polyorder;     ///< order of the polynomial, below `size`, at most 64
  int deriv = 0;     ///< order of the derivative, at most `polyorder`
  double delta = 1;  ///< spacing of points along the axis, for derivatives
  Axis axis = x_axis;
};

}  // namespace stencil
