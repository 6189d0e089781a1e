#include "io/write/carry/carried_variables.hpp"

#include <fmt/core.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/joined_values.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/nexus_axes.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

/// Thrown with the reason why a variable is not copied.
struct NotCarried {
  std::string why;
};

/// A dimension of a variable.
struct Dimension {
  std::optional<std::size_t> axis;  ///< axis of the dataset; std::nullopt if no axis has this
                                    ///< dimension
  AxisSampling sampling;
  const CarriedScale* carried = nullptr;  ///< the scale of the output for this dimension
  Handle other{};                         ///< the scale of the input for a dimension that is not an
                                          ///< axis
};

haddr_t address_of(hid_t object) {
  H5O_info_t info{};
  return succeeded(H5Oget_info2(object, &info, H5O_INFO_BASIC), object, "cannot examine it")
             ? info.addr
             : HADDR_UNDEF;
}

/// Reduces a sampling to a few points, for a trial.
void thin(AxisSampling& sampling) {
  constexpr Index most = 64;
  const Index every = (sampling.count - 1) / most + 1;
  sampling.stride *= every;
  sampling.count = (sampling.count - 1) / every + 1;
}

AxisSampling all_of(Index extent) {
  return {.extent = extent, .count = extent};
}

class VariableCarrier {
 public:
  VariableCarrier(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                  const std::vector<CarriedScale>& scales, Skipped& skipped)
      : input_(input), group_(group), spec_(spec), scales_(scales), skipped_(skipped) {
    for (NexusAxis& axis : nexus_axes(input))
      if (axis.name.find('/') == axis.name.npos)
        if (const Handle found = member(input.groups.back(), axis.name, H5I_DATASET))
          of_nexus_.insert({address_of(found), std::move(axis)});
  }

  /// Copies the variable of that name, if it exists and the output has no object of that name.
  void carry(const std::string& name) {
    if (name.find('/') != name.npos || has_link(group_, name)) return;
    Handle variable;
    for (std::size_t depth = input_.groups.size(); depth-- > 0 && !variable;)
      variable = member(input_.groups[depth], name, H5I_DATASET);
    if (!variable || address_of(variable) == address_of(input_.dataset)) return;
    try {
      make(std::move(variable), name);
    } catch (const NotCarried& reason) {
      tell(variable, reason.why);
    } catch (const Unreadable&) {
      if (has_link(group_, name)) H5Ldelete(group_, name.c_str(), H5P_DEFAULT);
      tell(variable, "which cannot be read");
    }
  }

  /// Copies the coordinates that a NeXus group names.
  void carry_nexus_axes() {
    for (const auto& [address, axis] : of_nexus_) carry(axis.name);
  }

  /// Copies the variables that copied variables and scales name in their attributes: terms of
  /// formulas, and bounds of cells that have not changed.
  void carry_named() {
    for (const CarriedScale& scale : scales_) carry_terms(scale.from);
    // the list grows in this loop, because copied variables may name further variables
    for (std::size_t i = 0; i < made_.size(); ++i) {
      carry_terms(made_[i].from);
      const std::string bounds = attribute_text(made_[i].from, "bounds");
      if (bounds.empty()) continue;
      if (!made_[i].is_changed) carry(bounds);
      if (!made_[i].is_changed && has_link(group_, bounds))
        write_attribute(made_[i].to, "bounds", bounds);
      else
        skipped_.push_back(fmt::format("attribute bounds of {}, whose cells are others",
                                       one_line(object_name(made_[i].from))));
    }
    for (const Made& variable : made_) drop_absent_variables(variable.to, group_, skipped_);
  }

  /// Copies the bounds of the cells of an axis if all its points are kept.
  void carry_bounds(const CarriedScale& scale) {
    const std::string name = attribute_text(scale.from, "bounds");
    if (name.empty()) return;
    if (!is_resampled(spec_, scale.axis)) carry(name);
    if (!is_resampled(spec_, scale.axis) && has_link(group_, name))
      write_attribute(scale.to, "bounds", name);
    else
      skipped_.push_back(fmt::format("attribute bounds of {}, whose cells are others",
                                     one_line(object_name(scale.from))));
  }

 private:
  /// A variable of the input and its copy in the output.
  struct Made {
    Handle from, to;
    bool is_changed;  ///< whether its points differ from those of the input
  };

  void carry_terms(hid_t variable) {
    for (const std::string& name : names_in(variable, {"formula_terms"})) carry(name);
  }

  void tell(hid_t variable, const std::string& why) {
    skipped_.push_back(fmt::format("variable {}, {}", one_line(object_name(variable)), why));
  }

  std::size_t axes() const { return spec_.sampling.size(); }
  Index inputs(std::size_t axis) const { return spec_.input.described().dims[axis]; }

  Dimension along(std::size_t axis, const CarriedScale* carried) const {
    if (is_mixed(spec_.sampling[axis])) throw NotCarried{"whose points are mixed"};
    return {axis, spec_.sampling[axis], carried};
  }

  /// Returns the dimension of a netCDF variable that has a scale.
  Dimension by_scale(Handle scale, Index extent) const {
    const haddr_t address = address_of(scale);
    for (const CarriedScale& carried : scales_)
      if (carried.address == address) {
        if (std::any_of(scales_.begin(), scales_.end(), [&](const CarriedScale& other) {
              return other.address == address && !is_same(other.sampling, carried.sampling);
            }))
          throw NotCarried{"whose dimension is that of several axes"};
        return along(carried.axis, &carried);
      }
    for (std::size_t axis = 0; axis < axes(); ++axis)
      for (const Scale& own : scales_of(input_.dataset, static_cast<int>(axis)))
        if (own.dataset && address_of(own.dataset) == address)
          throw NotCarried{"whose dimension is not carried over"};
    return {std::nullopt, all_of(extent), nullptr, std::move(scale)};
  }

  /// Returns the dimension of NeXus coordinates. Edges of cells, whose number is one more than that
  /// of the points, are not treated as coordinates of the axis.
  Dimension by_nexus(const NexusAxis& named, std::size_t dimension, Index extent) const {
    const std::size_t axis = dimension < named.axes.size() ? named.axes[dimension] : axes();
    if (axis < axes() && inputs(axis) == extent) return along(axis, nullptr);
    if (axis < axes() && is_resampled(spec_, axis))
      throw NotCarried{"which is not as long as its axis"};
    return {std::nullopt, all_of(extent)};
  }

  Dimension by_length(Index extent) const {
    std::vector<std::size_t> found;
    for (std::size_t axis = 0; axis < axes(); ++axis)
      if (inputs(axis) == extent) found.push_back(axis);
    if (found.empty()) return {std::nullopt, all_of(extent)};
    if (found.size() > 1 && std::any_of(found.begin(), found.end(), [&](std::size_t axis) {
          return is_resampled(spec_, axis);
        }))
      throw NotCarried{"which may describe several axes"};
    return along(found.front(), nullptr);
  }

  std::vector<Dimension> dimensions_of(hid_t variable) const {
    std::vector<Dimension> dimensions;
    const auto nexus = of_nexus_.find(address_of(variable));
    double points = 1, outputs = 1;
    for (const Index extent : spec_.form_dims()) outputs *= static_cast<double>(extent);
    for (const Index extent : dataset_extents(variable)) {
      std::vector<Scale> scales = scales_of(variable, static_cast<int>(dimensions.size()));
      if (!scales.empty() && !scales.front().dataset)
        throw NotCarried{"whose dimensions cannot be read"};
      dimensions.push_back(nexus != of_nexus_.end()
                               ? by_nexus(nexus->second, dimensions.size(), extent)
                           : scales.empty() ? by_length(extent)
                                            : by_scale(std::move(scales.front().dataset), extent));
      points *= static_cast<double>(dimensions.back().sampling.count);
    }
    constexpr double small = 1 << 20, most_times = 16;  // small variables and, for example, corners
                                                        // of cells are allowed
    if (points > small + most_times * outputs) throw NotCarried{"which is larger than the output"};
    return dimensions;
  }

  void make(Handle&& variable, const std::string& name) {
    if (!is_copyable(variable)) throw NotCarried{"which cannot be read"};
    std::vector<Dimension> dimensions = dimensions_of(variable);
    const std::string what = "cannot carry over the variable " + one_line(name);
    std::vector<hid_t> scales;
    for (Dimension& dimension : dimensions) scales.push_back(own_scale(dimension, what));
    Handle target = values_of(variable, name, dimensions, what);
    for (std::size_t at = 0; at < scales.size(); ++at)
      if (scales[at] >= 0)
        checked(H5DSattach_scale(target, scales[at], static_cast<unsigned>(at)), what);
    bool is_changed = false;
    for (const Dimension& d : dimensions) is_changed |= d.axis && is_resampled(spec_, *d.axis);
    std::set<std::string> except;
    if (is_changed)
      leave_out(variable, {"actual_range"}, "which describes other points", except, skipped_);
    copy_attributes(variable, target, except, skipped_);
    if (dimensions.size() == 1 && dimensions[0].axis)
      adjust_scale(target, *dimensions[0].axis, spec_, skipped_);
    made_.push_back({std::move(variable), std::move(target), is_changed});
  }

  Handle values_of(hid_t variable, const std::string& name,
                   const std::vector<Dimension>& dimensions, const std::string& what) const {
    constexpr const char* beyond = "whose points beyond the edges are not known";
    for (const Dimension& d : dimensions)
      if (d.axis && has_gaps_inside(spec_, *d.axis))
        throw NotCarried{"whose points have gaps between them"};
    if (dimensions.size() == 1 && dimensions[0].axis) {
      Handle target = carry_axis_values(variable, group_, name, dimensions[0].sampling,
                                        inputs(*dimensions[0].axis), what);
      if (!target) throw NotCarried{beyond};
      return target;
    }
    std::vector<Index> extents;
    std::vector<AxisSampling> samplings;
    for (const Dimension& d : dimensions) {
      if (d.axis && !is_inside(d.sampling, inputs(*d.axis))) throw NotCarried{beyond};
      samplings.push_back(d.sampling);
      if (spec_.is_rehearsal) thin(samplings.back());
      extents.push_back(samplings.back().count);
    }
    const Handle stored = owned(H5Dget_type(variable), H5Tclose, what);
    const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
    Handle target = make_values(group_, name, type, extents, what);
    copy_sampled(variable, target, samplings, what);
    return target;
  }

  /// Returns the scale of the output for a dimension; an invalid identifier if there is no such
  /// scale.
  hid_t own_scale(Dimension& dimension, const std::string& what) {
    if (dimension.carried) return dimension.carried->to;
    return dimension.other ? other_scale(dimension, what) : H5I_INVALID_HID;
  }

  /// Returns the scale for a dimension that is not an axis of the dataset. Each such scale is
  /// created once.
  hid_t other_scale(Dimension& dimension, const std::string& what) {
    Handle& scale = dimension.other;
    const haddr_t address = address_of(scale);
    for (const CarriedScale& other : others_)
      if (other.address == address) return other.to;
    if (!is_scale_of(scale, dimension.sampling.count))
      throw NotCarried{"whose dimensions cannot be read"};
    const std::string path = object_name(scale),
                      name = free_name(group_, path.substr(path.rfind('/') + 1), 0);
    try {
      Handle own = copy_scale(scale, group_, name, dimension.sampling, skipped_, what);
      others_.push_back({address, 0, dimension.sampling, std::move(scale), std::move(own)});
    } catch (const Unreadable&) {
      H5Ldelete(group_, name.c_str(), H5P_DEFAULT);
      throw;
    }
    return others_.back().to;
  }

  const DatasetPath& input_;
  hid_t group_;
  const OutputSpec& spec_;
  const std::vector<CarriedScale>& scales_;
  Skipped& skipped_;
  std::vector<CarriedScale> others_;
  std::vector<Made> made_;
  std::map<haddr_t, NexusAxis> of_nexus_;
};

}  // namespace

void carry_variables(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                     const std::vector<CarriedScale>& scales, Skipped& skipped) {
  VariableCarrier carrier(input, group, spec, scales, skipped);
  for (const std::string& name : names_in(input.dataset, {"coordinates", "grid_mapping"}))
    carrier.carry(name);
  carrier.carry_nexus_axes();
  for (const CarriedScale& scale : scales) carrier.carry_bounds(scale);
  carrier.carry_named();
}

}  // namespace stencil::storage
