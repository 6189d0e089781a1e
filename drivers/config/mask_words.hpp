#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/keys.hpp"
#include "framework/grid/shape.hpp"

namespace stencil {

/// A dataset in a file, as `file.h5:/dataset` names it.
struct MaskLocation {
  std::string file, dataset;  ///< both empty where the words name none
  explicit operator bool() const { return !file.empty(); }
};

/// Where a mask lies that is not written out. The last `:/` divides, so that a file's name may hold
/// one too.
MaskLocation mask_location(std::string_view mask);

/// The value of `mask`, understood as far as the words alone go: a family, a place in a file, or
/// taps.
struct MaskWords {
  std::string text;                ///< taps as `0 1 0; 1 -4 1`, `file.h5:/dataset`, or the family
  const Family* family = nullptr;  ///< null for taps and for files
  MaskLocation location;           ///< empty for taps and for families
  int rank = 0;                    ///< 1 or 2 for taps, 0 where the words do not tell
  Index height = 0, width = 0;     ///< of taps; height 1 where rank is 1
  std::vector<double> values;      ///< the taps, row after row
};

/// The only reader of masks. Rows are divided by `;`; one behind the last row is allowed, and makes
/// a single row a mask of two axes.
///
/// @throws BadValue  neither a family (the nearest one is named), nor a file, nor rows of equally
///                   many finite numbers.
MaskWords read_mask(std::string_view text);

}  // namespace stencil
