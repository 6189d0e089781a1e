#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "framework/device/field.hpp"

namespace stencil {

/// Where a chain has got to on one rank: all that is needed to go on. Made by Pipeline::start().
template <class T>
struct State {
  explicit State(Field<T> input) : field(std::move(input)) {}

  std::size_t stage = 0;  ///< the next step is one of this stage; the number of stages at the end
  Index step = 0;         ///< steps of that stage that are done
  Index steps_done = 0;   ///< of all stages
  /// The points after these steps: owned ones valid, ghosts not. The inputs of `stage`, or, at the
  /// end, the outputs of the last stage.
  Field<T> field;

  /// Memory of the stage under way; holds nothing that a later step needs.
  std::optional<Field<T>> other, next;
};

}  // namespace stencil
