#pragma once

#include <cstddef>

#include "drivers/config/config.hpp"

namespace stencil {

/// Checks the number of values of a list. @throws WordsError  there is neither one value nor one
/// value per axis of the mask
void require_values(const StageConfig& stage, const char* key, std::size_t values,
                    std::size_t axes);

/// Returns the value for one axis from a list with one value for all axes of a mask or one value
/// per axis, y before x.
/// @throws WordsError  the list has any other number of values; the message contains `key` and the
///                     stage's name
template <class List>
auto value_along(const StageConfig& stage, const char* key, const List& list, std::size_t axis,
                 std::size_t count) {
  require_values(stage, key, list.size(), count);
  return list.size() == 1 ? list[0] : list[axis];
}

}  // namespace stencil
