#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {

/// A dataset in a file, as `file.h5:/dataset` names it.
struct MaskLocation {
  std::string file, dataset;  ///< both empty if no file is named
  explicit operator bool() const { return !file.empty(); }
};

/// The location of a mask that is read from a file. The text is split at the last `:/`, so that the
/// file's name may contain one too.
MaskLocation mask_location(std::string_view mask);

/// Like mask_location(), but the location is empty for `none`. @throws BadValue  the text is
/// neither
MaskLocation read_location(std::string_view text);

/// The value of `mask`, parsed without opening files: a family, a dataset in a file, or taps.
struct MaskWords {
  std::string text;                ///< taps as `0 1 0; 1 -4 1`, `file.h5:/dataset`, or the family
  const Family* family = nullptr;  ///< null for taps and for files
  MaskLocation location;           ///< empty for taps and for families
  int rank = 0;                    ///< 1 to 3 for taps, 0 if the text does not determine it
  Index height = 0, width = 0;     ///< of taps; height is 1 if rank is 1
  Index depth = 1;                 ///< planes of taps; 1 if rank is below 3
  std::vector<double> values;      ///< the taps, row after row, plane after plane
};

/// Parses the value of `mask`. Rows are separated by `;`, planes by `|`. A `;` after the last row
/// is allowed, and makes a single row a mask of two axes; a `|` after the last plane is allowed,
/// and makes a single plane a mask of three.
///
/// @throws BadValue  neither a family (the nearest one is named), nor a file, nor rows of equally
///                   many finite numbers.
MaskWords read_mask(std::string_view text);

}  // namespace stencil
