#pragma once

#include <string>
#include <vector>

#include "io/listing.hpp"

namespace stencil {

/// The axis of the filter in a first configuration, and the sampling of this axis.
struct FirstAxis {
  int axis = 0;
  std::string why{};        ///< reason for the choice: `by attribute Xspacing`
  double rate = 1;          ///< points per unit
  std::string unit{};       ///< unit of frequencies: `Hz`, `1/m`, `cycles per point`
  bool is_of_file = false;  ///< whether the program reads this rate from the file automatically
};

/// Returns the time axis if the file has one, or else the axis for which the file gives a sampling
/// rate. Otherwise returns the last axis or, if this axis is short, the longest one.
FirstAxis first_axis_of(const ListedDataset& dataset);

/// The stage of a first configuration.
struct FirstStage {
  std::string lines{};  ///< keys of the section [stencil], with comments
  /// Whether the mask runs along one axis; otherwise over the last two axes.
  bool runs_along = true;
  /// Whether the weights are nonnegative, so that missing points may be omitted.
  bool is_mean = false;
  bool needs_rate = false;
};

/// Returns the names of the filters of --init.
const std::vector<std::string>& first_filters();

/// @param name  one of first_filters()
/// @throws WordsError  an unknown name; the message lists all names
FirstStage first_stage_of(const std::string& name, const ListedDataset& dataset,
                          const FirstAxis& axis);

}  // namespace stencil
