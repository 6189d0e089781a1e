#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

#include "io/metadata/file_conventions.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Meaning of one value of an attribute, or of all its values, for the points along an axis.
struct AxisStatement {
  Meaning meaning = Meaning::constant;
  /// The axes to which the statement may refer. A statement refers to at most one axis: if the list
  /// has several axes, it is unknown to which of them the statement refers; if the list is empty,
  /// the statement refers to no axis.
  std::vector<std::size_t> axes;
  std::string unit;                      ///< see Field::unit
  std::string spacing;                   ///< see Field::spacing
  std::optional<std::size_t> component;  ///< index of the value; std::nullopt for all values
  /// True if the meaning is known, so that the value can be adjusted; false if only the name
  /// suggests the meaning.
  bool is_certain = false;
};

/// An object whose attributes are interpreted, and the information that is needed for this.
struct Described {
  const FileConventions* file = nullptr;  ///< null for the coordinates of one axis
  std::string path;                       ///< see FileConventions::fields_of()
  std::optional<std::size_t> own_axis{};  ///< axis, for coordinates
};

/// Returns the statements of an attribute about the points. They come from the conventions of the
/// file; otherwise from the name of the attribute; otherwise, if the attribute is a list as long as
/// a resampled axis, from its length. The result is empty if the attribute makes no statement.
///
/// @param object   object of the output that has the attribute of the input
/// @param name     the name of the attribute; empty for the values of the object, which is a
///                 dataset
/// @param numbers  the numbers of the attribute, see stated_numbers()
std::vector<AxisStatement> statements_of(const Described& described, hid_t object,
                                         const std::string& name,
                                         const std::vector<double>& numbers,
                                         const OutputSpec& spec);

/// Returns whether a statement about the input's points is also valid for the output's points along
/// an axis.
bool still_holds(Meaning meaning, const AxisSampling& sampling, Index inputs);

}  // namespace stencil::storage
