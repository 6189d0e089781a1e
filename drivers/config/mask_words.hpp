#pragma once

#include <string>
#include <string_view>

#include "drivers/config/keys.hpp"

namespace stencil {

/// The value of `mask`, understood as far as the words alone go.
struct MaskWords {
  std::string text;                ///< taps as `0 1 0; 1 -4 1`, `file.h5:/dataset`, or the family
  const Family* family = nullptr;  ///< null for taps and for files
  int rank = 0;                    ///< 1 or 2 for taps, 0 where the words do not tell
};

/// @throws BadValue  neither a family (the nearest one is named), nor a file, nor rows of equally
/// many
///                   finite numbers.
MaskWords read_mask(std::string_view text);

}  // namespace stencil
