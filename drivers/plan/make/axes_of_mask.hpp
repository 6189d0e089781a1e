#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {

/// Returns the index of an axis of the dataset as a nonnegative number.
/// @param key   name for messages, `input.axis` or `[stencil.NAME] axis`
/// @param rank  number of axes of the dataset
/// @throws WordsError  the dataset has no such axis
int checked_axis(const std::string& key, int axis, int rank);

/// Returns `one axis`, `two axes` or `three axes`.
const char* axes_words(std::size_t count);

/// The dataset axes along which the mask of a stage can run. The functions throw a WordsError that
/// names the stage's section and key if the configuration and the dataset allow no such mask.
struct AxesOfMask {
  const StageConfig& stage;
  int rank;                 ///< number of axes of the dataset
  std::optional<int> axis;  ///< axis of this stage or of input.axis, nonnegative
  int automatic_axis;       ///< axis of a 1D mask if none is given
  std::vector<int> given;   ///< `axes` of this stage, see resolve_axes(); empty for the default

  /// Returns the axis of a one-dimensional mask.
  int one() const { return given.size() == 1 ? given.front() : axis.value_or(automatic_axis); }
  /// Returns the axes that the key `axes` gives, or by default the last two axes.
  std::vector<int> two() const;
  /// Returns the axes that the key `axes` gives, or by default the last three axes.
  std::vector<int> three() const;

  /// Returns whether the mask of a family that exists in one and in two dimensions has two axes.
  /// The key `rank` of the stage decides; if this key is not given, the mask is 1D if the user gave
  /// an axis, and otherwise 2D. For families with a direction, a given axis is that of the
  /// derivative, so only rank = 1 makes the mask 1D, that is, without smoothing across this axis.
  bool are_two(const Family& family) const;
  /// Returns the direction of the derivative of a mask of two or three axes, as an index into the
  /// list of these axes. The default is the last axis.
  std::size_t direction() const;

  /// Checks that `axes` and `axis` fit a mask from a file.
  /// @param count  number of axes of the mask
  void check(bool mixes_channels, std::size_t count) const;

  /// Returns `origin` of the stage for each axis of a mask of N axes.
  template <std::size_t N>
  std::array<Index, N> origins() const;

 private:
  std::size_t direction_in_given() const;
  const char* one_axis_instead() const;
};

}  // namespace stencil
