#include "io/write/carry/shared_metadata.hpp"

#include <fmt/core.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/read/file_check.hpp"
#include "io/read/same_values.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/named_variables.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_links = 10'000;
constexpr const char* what = "cannot leave out what differs between stacked datasets";

/// The numbers or the texts of an attribute; empty for other types.
struct AttributeValues {
  std::vector<ElementValue> numbers;
  std::vector<std::string> texts;

  bool are_known() const { return !numbers.empty() || !texts.empty(); }
  bool operator==(const AttributeValues& other) const {
    return texts == other.texts &&
           std::equal(numbers.begin(), numbers.end(), other.numbers.begin(), other.numbers.end(),
                      [](const ElementValue& a, const ElementValue& b) {
                        return a == b || (a.is_nan() && b.is_nan());
                      });
  }
};

AttributeValues values_of(hid_t object, const std::string& name) {
  return {attribute_values(object, name), attribute_texts(object, name)};
}

bool holds_references(hid_t object, const std::string& name) {
  const Handle attribute = owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  return H5Tdetect_class(owned(H5Aget_type(attribute), H5Tclose, what), H5T_REFERENCE) > 0;
}

/// An object of the output whose attributes were copied.
struct Carried {
  hid_t own;
  hid_t from;  ///< the object in the first dataset's file
  /// For a group: number of levels above the dataset; not set for the root.
  std::optional<std::size_t> up{};
  bool is_root = false;
  std::set<std::string> differing{};  ///< names of attributes that differ
};

class Comparison {
 public:
  Comparison(const DatasetPath& input, const std::vector<Handle>& groups, hid_t dataset,
             const OutputSpec& spec)
      : input_(input), groups_(groups), dataset_(dataset), spec_(spec) {
    objects_.push_back({dataset, input.dataset});
    objects_.push_back({groups.front(), input.groups.front(), std::nullopt, true});
    for (std::size_t up = 0; up + 1 < std::min(input.groups.size(), groups.size()); ++up)
      objects_.push_back(
          {groups[groups.size() - 1 - up], input.groups[input.groups.size() - 1 - up], up});
    for (const std::string& name :
         link_names(groups.back(), most_links).value_or(std::vector<std::string>()))
      if (name != split_path(spec.dataset).back()) variables_.insert(name);
  }

  /// Compares the metadata with the metadata of another dataset.
  void compare(const DatasetPath& other, std::vector<CarriedScale>& scales) {
    for (Carried& object : objects_)
      if (const hid_t its = counterpart(object, other); its >= 0) compare(object, its);
    for (const CarriedScale& scale : scales)
      if (!has_same_scale(other, static_cast<int>(scale.axis), as_scale(scale)))
        differing_.insert(own_name(scale));
    for (const std::string& name : variables_) {
      const std::string its = name_of_input(name);
      const Handle from = member(input_.groups.back(), its, H5I_DATASET),
                   to = member(other.groups.back(), its, H5I_DATASET);
      if (from && !is_of_scale(name, scales) && !is_of_new_axis(name) &&
          (!to || !have_same_values(from, to)))
        differing_.insert(name);
    }
  }

  void remove(std::vector<CarriedScale>& scales, Skipped& skipped) {
    for (const Carried& object : objects_)
      for (const std::string& name : object.differing) {
        if (!has_attribute(object.own, name)) continue;
        checked(H5Adelete(object.own, name.c_str()), what);
        skipped.push_back(fmt::format("attribute {} of {}, which differs between the files",
                                      one_line(name), one_line(object_name(object.from))));
      }
    for (const std::string& name : differing_) {
      const Handle own = member(groups_.back(), name, H5I_DATASET);
      if (!own) continue;
      detach(own);
      skipped.push_back(
          fmt::format("dataset {}, which differs between the files", one_line(object_name(own))));
      scales.erase(
          std::remove_if(scales.begin(), scales.end(),
                         [&](const CarriedScale& scale) { return own_name(scale) == name; }),
          scales.end());
      checked(H5Ldelete(groups_.back(), name.c_str(), H5P_DEFAULT), what);
    }
    for (const std::string& name : variables_)
      if (const Handle own = member(groups_.back(), name, H5I_DATASET))
        drop_absent_variables(own, groups_.back(), skipped);
  }

 private:
  hid_t counterpart(const Carried& object, const DatasetPath& other) const {
    if (object.is_root) return other.groups.front();
    if (!object.up) return other.dataset;
    return *object.up < other.groups.size()
               ? hid_t{other.groups[other.groups.size() - 1 - *object.up]}
               : H5I_INVALID_HID;
  }

  /// Compares attributes. Attributes that cannot be compared are treated as different; attributes
  /// of dimension scales are ignored, because this program has written them.
  static void compare(Carried& object, hid_t its) {
    for (const std::string& name : attribute_names(object.from)) {
      if (name.starts_with("stencil_") || name == "history" || object.differing.contains(name) ||
          !has_attribute(object.own, name) || holds_references(object.own, name))
        continue;
      const AttributeValues values = values_of(object.from, name);
      if (!values.are_known() || !(values == values_of(its, name))) object.differing.insert(name);
    }
  }

  static std::string own_name(const CarriedScale& scale) {
    const std::string path = object_name(scale.to);
    return path.substr(path.rfind('/') + 1);
  }

  static Scale as_scale(const CarriedScale& scale) {
    checked(H5Iinc_ref(scale.from), what);
    return {Handle(scale.from, H5Dclose), object_name(scale.from)};
  }

  static bool is_of_scale(const std::string& name, const std::vector<CarriedScale>& scales) {
    return std::any_of(scales.begin(), scales.end(),
                       [&](const CarriedScale& scale) { return own_name(scale) == name; });
  }

  bool is_of_new_axis(const std::string& name) const {
    const Handle own = member(groups_.back(), name, H5I_DATASET);
    return own && H5DSis_attached(dataset_, own, static_cast<unsigned>(spec_.leading_axes())) > 0;
  }

  /// Returns the name that a variable of the output has in the input. The two names differ for
  /// times next to the dataset, whose name contains the dataset's name.
  std::string name_of_input(const std::string& own) const {
    return own == split_path(spec_.dataset).back() + "Time" ? input_.names.back() + "Time" : own;
  }

  /// Detaches a scale from all axes of all datasets.
  void detach(hid_t scale) const {
    if (H5DSis_scale(scale) <= 0) return;
    const auto from = [&](hid_t dataset) {
      for (std::size_t axis = 0; axis < dataset_extents(dataset).size(); ++axis)
        if (H5DSis_attached(dataset, scale, static_cast<unsigned>(axis)) > 0)
          checked(H5DSdetach_scale(dataset, scale, static_cast<unsigned>(axis)), what);
    };
    from(dataset_);
    for (const std::string& name : variables_)
      if (const Handle variable = member(groups_.back(), name, H5I_DATASET))
        if (H5DSis_scale(variable) == 0) from(variable);
  }

  const DatasetPath& input_;
  const std::vector<Handle>& groups_;
  hid_t dataset_;
  const OutputSpec& spec_;
  std::vector<Carried> objects_;
  std::set<std::string> variables_;  ///< variables next to the output's dataset
  std::set<std::string> differing_;  ///< names of variables that differ
};

}  // namespace

void leave_out_differing(const DatasetPath& input, const std::vector<Handle>& groups, hid_t dataset,
                         const OutputSpec& spec, std::vector<CarriedScale>& scales,
                         Skipped& skipped) {
  Comparison comparison(input, groups, dataset, spec);
  for (std::size_t i = 0; i < spec.stacked->count(); ++i) {
    const DatasetFacts& other = spec.stacked->dataset(i);
    const Handle file = open_for_reading(other.file);
    comparison.compare(open_dataset(file, other.file, other.dataset), scales);
  }
  comparison.remove(scales, skipped);
}

}  // namespace stencil::storage
