#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {

/// The location of a dataset, written `file.h5:/dataset`.
struct MaskLocation {
  std::string file, dataset;  ///< both empty if no file is named
  explicit operator bool() const { return !file.empty(); }
};

/// Returns the location of a mask that is read from a file. The text is split at the last `:/`, so
/// the file's name may contain `:/`.
MaskLocation mask_location(std::string_view mask);

/// Like mask_location(), but returns an empty location for `none`. @throws BadValue  the text is
/// neither `none` nor a location
MaskLocation read_location(std::string_view text);

/// The value of the key `mask`, parsed without opening files: a family, a dataset in a file, or
/// taps.
struct MaskWords {
  std::string text;                ///< taps as `0 1 0; 1 -4 1`, `file.h5:/dataset`, or the family
  const Family* family = nullptr;  ///< null for taps and for files
  MaskLocation location;           ///< empty for taps and for families
  int rank = 0;                    ///< 1 to 3 for taps, 0 if the text does not determine it
  Index height = 0, width = 0;     ///< extents of taps; height is 1 for rank 1
  Index depth = 1;                 ///< planes of taps; 1 if rank is below 3
  std::vector<double> values;      ///< the taps, row by row and plane by plane (C order)
};

/// Parses the value of `mask`. Rows are separated by `;`, planes by `|`. A `;` after the last row
/// is allowed and makes a single row a two-dimensional mask; a `|` after the last plane is allowed
/// and makes a single plane a three-dimensional mask.
///
/// @throws BadValue  the text is neither a family (the message names the most similar family), nor
///                   a dataset in a file, nor rows of finite numbers of equal length.
MaskWords read_mask(std::string_view text);

}  // namespace stencil
