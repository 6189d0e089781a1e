#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// The inputs of a stage along the axes of the whole dataset.
struct StageInputs {
  const DatasetFacts& whole;        ///< with `coordinates`
  const std::vector<Index>& apart;  ///< points of the dataset from one input to the next, per axis
  const std::vector<double>& rate;  ///< inputs per second, per axis; 0 if unknown
};

/// The distance between the inputs of a stage along an axis, computed from the coordinates of the
/// axis.
class AxisDistance {
 public:
  /// @param what  the setting that needs the distance, for messages, such as `delta = coordinates`
  /// @throws WordsError  the coordinates are unevenly spaced, or there are none
  AxisDistance(const StageConfig& stage, const std::string& what, const StageInputs& inputs,
               int axis);

  int axis() const { return axis_; }
  AxisCoordinates::Kind kind() const { return kind_; }
  /// Returns the unit of value(): `s` along times, `m` along latitudes and longitudes, otherwise
  /// the unit in the file, which may be empty.
  const std::string& unit() const { return unit_; }
  /// Returns the distance; it is negative if the coordinates decrease. Along longitudes, it is the
  /// distance on the equator.
  double value() const { return value_; }

 private:
  int axis_;
  AxisCoordinates::Kind kind_;
  std::string unit_;
  double value_;
};

}  // namespace stencil
