#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "framework/device/field.hpp"

namespace stencil {

/// The progress of a chain on one rank, with all data for continuing. Made by Pipeline::start().
template <class T>
struct State {
  explicit State(Field<T> input) : field(std::move(input)) {}

  std::size_t stage = 0;  ///< stage of the next step; the number of stages at the end
  Index step = 0;         ///< steps of that stage that are done
  Index steps_done = 0;   ///< steps that are done, summed over all stages
  /// The points after these steps, which are the inputs of `stage` or, at the end, the outputs of
  /// the last stage. The owned points are valid, the ghost points are not.
  Field<T> field;

  /// Memory that the current stage reuses; no later step reads its contents. After a single step
  /// within a stage, `other` holds the points before that step.
  std::optional<Field<T>> other, next;
};

}  // namespace stencil
