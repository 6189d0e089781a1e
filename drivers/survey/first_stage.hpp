#pragma once

#include <string>
#include <vector>

#include "io/listing.hpp"

namespace stencil {

/// The axis that a first configuration filters along, and what it knows of its points.
struct FirstAxis {
  int axis = 0;
  std::string why{};        ///< it is this one: `by attribute Xspacing`
  double rate = 1;          ///< points per unit
  std::string unit{};       ///< of frequencies: `Hz`, `1/m`, `cycles per point`
  bool is_of_file = false;  ///< whether the program finds this rate in the file by itself
};

/// The axis of time if the file has one, else the last one unless it is short.
FirstAxis first_axis_of(const ListedDataset& dataset);

/// What a first configuration computes.
struct FirstStage {
  std::string lines{};     ///< of the section [stencil], with comments
  bool runs_along = true;  ///< along one axis, not over the last two
  bool is_mean = false;  ///< weights that are not negative, so that missing points may be left out
  bool needs_rate = false;
};

/// The names of the filters that --init knows.
const std::vector<std::string>& first_filters();

/// @param name  one of first_filters()
/// @throws WordsError  another name; the message lists them
FirstStage first_stage_of(const std::string& name, const ListedDataset& dataset,
                          const FirstAxis& axis);

}  // namespace stencil
