#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

#include "io/metadata/file_conventions.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// What one value of an attribute, or all of them, says about the points along an axis.
struct AxisStatement {
  Meaning meaning = Meaning::constant;
  /// The axes that it may be about; if there are several, it is unknown which of them. None: it is
  /// about something else.
  std::vector<std::size_t> axes;
  std::string unit;                      ///< as in Field::unit
  std::string spacing;                   ///< as in Field::spacing
  std::optional<std::size_t> component;  ///< std::nullopt: of all values
  /// Whether its meaning is known, so that it can be adjusted; if not, only the name suggests the
  /// meaning.
  bool is_certain = false;
};

/// The object that carries attributes.
struct Described {
  const FileConventions* file = nullptr;  ///< nothing for coordinates of one axis
  std::string path;                       ///< as in FileConventions::fields_of()
  std::optional<std::size_t> own_axis{};  ///< of coordinates
};

/// What an attribute says about the points, according to the conventions of the file, or else to
/// its name, or, for a list as long as a resampled axis, to its length. Empty: nothing.
///
/// @param object   of the output, with the attribute of the input
/// @param name     the name of the attribute; empty: the values of the object, which is a dataset
/// @param numbers  the numbers of the attribute, see stated_numbers()
std::vector<AxisStatement> statements_of(const Described& described, hid_t object,
                                         const std::string& name,
                                         const std::vector<double>& numbers,
                                         const OutputSpec& spec);

/// Whether a statement about the input's points also holds for the output's points, along an axis.
bool still_holds(Meaning meaning, const AxisSampling& sampling, Index inputs);

}  // namespace stencil::storage
