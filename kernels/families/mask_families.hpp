#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// One value for all axes of a mask, or one for each of two: `{y, x}`.
template <class T>
struct PerAxis {
  T y, x;

  constexpr PerAxis(T both) : y(both), x(both) {}
  constexpr PerAxis(T along_y, T along_x) : y(along_y), x(along_x) {}
};

// Arguments of the families of masks, see Mask. Where `axis` is an optional, the mask runs along
// that axis; without it the mask runs along y and x. All other arguments without a default must be
// given.

struct Mask::Gaussian {
  PerAxis<double> sigma;      ///< standard deviation in points, above 0
  PerAxis<int> order = 0;     ///< of the derivative, 0 (the Gaussian itself) to 32
  double truncate = 4;        ///< the mask ends `truncate` standard deviations from its centre ...
  PerAxis<Index> radius = 0;  ///< ... or, if above 0, this number of points from its centre
  std::optional<Axis> axis{};
};

struct Mask::Size {
  PerAxis<Index> size;  ///< number of taps, 1 or more; of an even number the centre is tap size / 2
  std::optional<Axis> axis{};
};

struct Mask::Disk {
  PerAxis<double> radius;  ///< in points, above 0; points at this distance belong to the disk
  std::optional<Axis> axis{};
};

struct Mask::Annulus {
  PerAxis<double> radius;  ///< in points, above `inner`
  PerAxis<double> inner;   ///< in points, 0 or more; points at this distance have the tap 0
  std::optional<Axis> axis{};
};

struct Mask::LaplacianOfGaussian {
  PerAxis<double> sigma;  ///< as of Gaussian, and the two below
  double truncate = 4;
  PerAxis<Index> radius = 0;
  std::optional<Axis> axis{};
};

struct Mask::DifferenceOfGaussians {
  PerAxis<double> sigma;  ///< of the narrow Gaussian, in points, above 0
  double ratio = 1.6;     ///< of the two standard deviations, above 1
  double truncate = 4;    ///< each Gaussian ends this number of its standard deviations away
  std::optional<Axis> axis{};
};

/// Of lowpass and highpass.
struct Mask::Cutoff {
  Index taps;            ///< odd for highpass
  double cutoff;         ///< frequency with half of the amplitude, in the unit of sampling_rate
  double sampling_rate;  ///< points per unit along the axis, for example Hz or points per metre
  /// `hamming`, `hann`, `blackman`, `blackmanharris`, `nuttall`, `bartlett`, `boxcar`, `cosine`,
  /// `flattop`, `kaiser:BETA` or `gaussian:STD`, as in scipy.signal.get_window
  std::string window = "hamming";
  Axis axis = x_axis;
};

/// Of bandpass and bandstop.
struct Mask::Band {
  Index taps;  ///< odd for bandstop
  std::array<double, 2>
      cutoff;            ///< the lower and the upper frequency, in the unit of sampling_rate
  double sampling_rate;  ///< as of Cutoff, and the window
  std::string window = "hamming";
  Axis axis = x_axis;
};

struct Mask::Matched {
  /// The pattern that the filter searches. The taps are `pattern / sum(pattern^2)`. With a `psd`
  /// they are the pattern divided by that density, normalized by their scalar product: the estimate
  /// with the least variance in Gaussian noise of this density (Turin, An introduction to matched
  /// filters, IRE Trans. Inf. Theory 6, 1960).
  std::vector<double> pattern;
  /// Power spectral density of the noise in any unit, at evenly spaced frequencies from 0 to half
  /// of the sampling rate; infinity leaves a frequency out. Empty: white noise.
  std::vector<double> psd{};
  Axis axis = x_axis;
};

struct Mask::Savgol {
  Index size;        ///< number of points to which each polynomial is fitted, odd
  int polyorder;     ///< of the polynomial, below `size`, 64 at most
  int deriv = 0;     ///< order of the derivative, at most `polyorder`
  double delta = 1;  ///< spacing of points along the axis, for derivatives
  Axis axis = x_axis;
};

}  // namespace stencil
