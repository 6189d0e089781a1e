#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/config/mask_words.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Masks that were read from files, by their text in the configuration (`file.h5:/dataset`).
using MaskFiles = std::map<std::string, SmallArray>;

/// How a stage depends on the latitude of its inputs.
struct LatitudeRows {
  int axis = 0;  ///< dataset axis of the latitudes
  /// Factors by which results are multiplied, one for each latitude; may be empty.
  std::vector<double> factors{};
  /// Standard deviation of the mask of each latitude, in points; may be empty. All masks together
  /// may be larger than the dataset, so each mask is made by `mask_of` when it is needed, and is
  /// stored along x.
  std::vector<double> sigma{};
  std::function<Mask(double sigma)> mask_of{};
};

/// The mask of one stage and the dataset axes along which it runs.
struct StageMask {
  Mask mask;  ///< 1D masks are stored along x here; bind_stage() turns them
  /// One dataset axis for each axis of the mask, in the mask's order: for a 2D mask, the axis of
  /// its rows first.
  std::vector<int> dataset_axes;
  /// A mask of four axes; `mask` is then its first plane, which only gives extent and centre.
  std::optional<ChannelMask> channels;
  /// For a bank, all its masks (the first one is `mask`), and the index of each mask in the
  /// dataset.
  std::vector<Mask> bank{};
  std::vector<Index> rows{};
  /// The imaginary parts of the taps of a complex mask; `mask` contains the real parts. In a
  /// correlation the taps are conjugated, as in SciPy.
  std::optional<Mask> imaginary{};
  /// For a stage that depends on the latitude: the values for all latitudes of the whole dataset.
  std::optional<LatitudeRows> latitudes{};
  /// Order of the derivative along each of `dataset_axes`; empty unless the mask is of a family.
  std::vector<Index> orders{};

  /// Return the number of taps along the k-th of `dataset_axes`, and the index of the tap at the
  /// output point.
  Index taps_along(std::size_t k) const;
  Index centre_along(std::size_t k) const;
};

/// Makes the mask of a configured stage. Axes are checked even if the mask does not use them.
///
/// @param stage          `axes` must be numbers, see resolve_axes()
/// @param rank           number of axes of the dataset
/// @param input_axis     `input.axis` if given
/// @param automatic_axis  axis of a 1D mask if none is given; see mask_axis_of()
/// @param sampling_rate  samples per unit along each dataset axis at this stage, 0 if unknown
/// @param remark         reason why the file's times give no rate, for the message; may be empty
/// @throws WordsError    with the stage's section, key and value
StageMask make_stage_mask(const StageConfig& stage, int rank, std::optional<int> input_axis,
                          int automatic_axis, const std::vector<double>& sampling_rate,
                          const MaskFiles& files, const std::string& remark = "");

}  // namespace stencil
