#include "io/write/carry/rest_of_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5_hl.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/copied_data.hpp"
#include "io/write/carry/copied_links.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/copied_whole.hpp"
#include "io/write/carry/followed_axes.hpp"
#include "io/write/carry/left_beside.hpp"
#include "io/write/carry/lists_of_points.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/other_views.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/output_groups.hpp"

namespace stencil::storage {
namespace {

constexpr const char* what = "cannot copy the rest of the input";

std::string path_from(const std::vector<std::string>& names) {
  return fmt::format("/{}", fmt::join(names, "/"));
}

/// An object of the input, and its path in the output.
struct Met {
  std::string from, to;  ///< paths in the input and in the output
  H5I_type_t kind;
  Fate fate{};
  bool is_new = false;  ///< whether no other function has copied the object before
};

class RestCopier {
 public:
  RestCopier(const DatasetPath& input, hid_t output, const OutputSpec& spec,
             const std::vector<CarriedScale>& scales, Skipped& skipped,
             const std::function<void()>& require_written)
      : input_(input),
        root_(input.groups.front()),
        output_(output),
        spec_(spec),
        skipped_(skipped),
        require_written_(require_written),
        links_(root_, output, spec, skipped),
        axes_(input, spec),
        data_(path_from(input.names)),
        lists_(conventions_of(input, spec), spec) {
    const std::string own = path_from(split_path(spec.dataset));
    for (std::size_t depth = 0; depth < input.groups.size(); ++depth)
      placed_[address_of_object(input.groups[depth])] = path_from(
          {input.names.begin(), input.names.begin() + static_cast<std::ptrdiff_t>(depth)});
    placed_[address_of_object(input.dataset)] = own;
    for (const CarriedScale& scale : scales) placed_[scale.address] = object_name(scale.to);
  }

  void copy() {
    for (const auto& [address, path] : placed_) copies_[address] = path;
    walk(root_, "", "", 0);
    for (const Met& met : met_)
      if (met.kind == H5I_DATATYPE) copy_stored_type(met);
    for (Met& met : met_)
      if (met.kind == H5I_DATASET && met.is_new) copy_dataset(met);
    for (const Met& met : met_) fill(met);
    links_.make(copies_);
    for (const Met& met : met_) attach_scales(met);
    for (const Met& met : met_) carry_attributes(met);
    copy_references(root_, owned(H5Gopen2(output_, "/", H5P_DEFAULT), H5Gclose, what), skipped_,
                    to_copies());
    for (const Met& met : met_) finish_names(met);
  }

 private:
  void tell(const char* kind, const std::string& path, const std::string& why) {
    skipped_.push_back(fmt::format("{} {}, {}", kind, one_line(path), why));
  }

  /// Visits all objects of a group of the input, and creates their groups.
  void walk(hid_t group, const std::string& path, const std::string& to, int depth) {
    constexpr int deepest = 100;
    const LinkNames names = links_of(group);
    if (!names.are_all || depth > deepest) tell("part of group", path + "/", "which is damaged");
    if (depth > deepest) return;
    for (const std::string& name : names.hard) meet(group, name, path, to, depth);
    links_.add(names, path, to);
  }

  void meet(hid_t group, const std::string& name, const std::string& path, const std::string& to,
            int depth) {
    const bool is_beside = path + "/" == data_.substr(0, data_.rfind('/') + 1);
    const auto own = is_beside ? lists_.own_name(name) : name;
    if (!own) return;
    Met met{path + "/" + name, to + "/" + *own, H5I_BADID};
    if (is_told(skipped_, one_line(met.from))) return;
    if (met.from == data_ && placed_.at(address_of_object(input_.dataset)) != data_) return;
    const Handle object = child_of(group, name.c_str());
    if (!object) return tell("object", met.from, "which cannot be read");
    const haddr_t address = address_of_object(object);
    if (const auto placed = placed_.find(address); placed != placed_.end()) {
      if (placed->second != met.to) links_.add_hard(address, met.to);
      if (!seen_.insert(address).second) return;
      met.to = placed->second;
      if (H5Iget_type(object) == H5I_DATASET) {
        met.kind = H5I_DATASET;
        met_.push_back(std::move(met));
        return;
      }
    } else if (copies_.contains(address)) {
      return links_.add_hard(address, met.to);
    }
    met.kind = H5Iget_type(object);
    const std::string why = is_false_beside(met.from, data_);
    if (!why.empty()) return tell(kind_of(met), met.from, why);
    const bool is_there = exists(met.to);
    if (met.kind == H5I_GROUP) return enter(object, address, met, is_there, depth);
    if (is_own(met.to)) return tell(kind_of(met), met.from, "whose name the output needs");
    met.is_new = !is_there;
    if (!copies_.insert({address, met.to}).second) return;
    met_.push_back(std::move(met));
  }

  void enter(hid_t group, haddr_t address, Met& met, bool is_there, int depth) {
    // a group that another function has copied with all its contents is not changed
    if (is_there && !placed_.contains(address) && !is_on_a_way(met.to)) {
      copies_.insert({address, met.to});
      return;
    }
    const std::vector<std::string> names = split_path(met.to);
    groups_along(output_, names, what);
    copies_.insert({address, met.to});
    met.is_new = !placed_.contains(address);
    const std::string from = met.from, to = met.to;
    met_.push_back(std::move(met));
    walk(group, from, to, depth + 1);
  }

  static const char* kind_of(const Met& met) {
    return met.kind == H5I_GROUP ? "group" : met.kind == H5I_DATASET ? "dataset" : "stored type";
  }

  bool exists(const std::string& path) const {
    std::string part;
    for (const std::string& name : split_path(path))
      if (!has_link(output_, part += "/" + name)) return false;
    return true;
  }

  /// Returns whether the path leads to the scale of snapshots or filters in the output.
  bool is_own(const std::string& path) const {
    if (spec_.leading_axes() == 0) return false;
    std::vector<std::string> names = split_path(spec_.dataset);
    names.back() = spec_.snapshots ? "time" : "filter";
    return path == path_from(names);
  }

  /// Returns whether the group was created because an object inside it was copied.
  bool is_on_a_way(const std::string& path) const {
    return std::any_of(placed_.begin(), placed_.end(),
                       [&](const auto& placed) { return placed.second.starts_with(path + "/"); });
  }

  void copy_stored_type(const Met& met) {
    const Handle from = owned(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose, what);
    copy_type(from, output_, met.to);
  }

  void copy_dataset(Met& met) {
    const Handle from = owned(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose, what);
    std::string why = decide(from, met.fate);
    if (why.empty())
      why = copy_points(from, output_, met.to, met.fate, spec_.is_rehearsal, copies_);
    require_written_();
    if (why.empty()) return;
    tell("dataset", met.from, why);
    copies_.erase(address_of_object(from));
    met.kind = H5I_BADID;
  }

  /// Determines the treatment of a dataset. @returns the reason if the dataset is not copied;
  /// otherwise an empty text
  std::string decide(hid_t dataset, Fate& fate) const {
    try {
      fate = axes_.fate_of(dataset);
      return fate.why_not;
    } catch (const Unreadable&) {
      return "which cannot be read";
    }
  }

  /// Returns a function that converts references to objects of the input to references to their
  /// copies.
  ChangeValues to_copies() const {
    return [this](hid_t type, std::byte* values, std::size_t count) {
      point_to_copies(root_, output_, copies_, type, values, count);
    };
  }

  void fill(const Met& met) {
    if (met.kind != H5I_DATASET || !met.is_new) return;
    const Handle from = owned(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose, what);
    try {
      fill_references(from, output_, met.to, met.fate, spec_.is_rehearsal, to_copies());
    } catch (const Unreadable&) {
      tell("references in dataset", met.from, "which cannot be read");
    }
  }

  void attach_scales(const Met& met) {
    if (met.kind != H5I_DATASET || !met.is_new) return;
    const Handle from(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose),
        to = owned(H5Dopen2(output_, met.to.c_str(), H5P_DEFAULT), H5Dclose, what);
    if (attribute_text(from, "CLASS") == "DIMENSION_SCALE") {
      become_scale(to, from, met.fate.dims.empty() ? 0 : met.fate.dims[0].sampling.count, what);
      return;
    }
    for (std::size_t at = 0; at < met.fate.dims.size(); ++at) {
      const auto axis = static_cast<int>(at);
      for (const Scale& scale : scales_of(from, axis)) {
        const auto copy =
            scale.dataset ? copies_.find(address_of_object(scale.dataset)) : copies_.end();
        if (copy == copies_.end()) continue;
        const Handle own =
            owned(H5Dopen2(output_, copy->second.c_str(), H5P_DEFAULT), H5Dclose, what);
        checked(H5DSattach_scale(to, own, static_cast<unsigned>(at)), what);
      }
      if (const std::string label = label_of(from, axis); !label.empty())
        checked(H5DSset_label(to, static_cast<unsigned>(at), label.c_str()), what);
    }
  }

  /// Copies the attributes of an object. If another function has copied the object, only attributes
  /// with references are copied, because references could not be converted before.
  void carry_attributes(const Met& met) {
    if (met.kind == H5I_BADID) return;
    const Handle from(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose),
        to = owned(H5Oopen(output_, met.to.c_str(), H5P_DEFAULT), H5Oclose, what);
    copy_references(from, to, skipped_, to_copies());
    if (!met.is_new) return;
    std::set<std::string> except = of_other_points(from);
    copy_attributes(from, to, except, skipped_);
    if (met.fate.dims.size() == 1 && met.fate.dims[0].axis)
      adjust_scale(to, *met.fate.dims[0].axis, spec_, skipped_);
  }

  /// Returns the names of attributes that would be wrong in the output: lists with a value for each
  /// point of an axis that has changed, and ranges of values.
  std::set<std::string> of_other_points(hid_t from) {
    std::set<std::string> except;
    for (const std::string& name : attribute_names(from)) {
      const auto numbers = attribute_numbers(from, name);
      for (std::size_t axis = 0; numbers && axis < spec_.sampling.size(); ++axis)
        if (is_resampled(spec_, axis) && numbers->size() > 1 && !lists_.describes(from, name) &&
            std::ssize(*numbers) == spec_.input.described().dims[axis] &&
            except.insert(name).second)
          tell("attribute", fmt::format("{} of {}", name, object_name(from)),
               "which may describe other points");
    }
    return except;
  }

  void finish_names(const Met& met) {
    if (met.kind == H5I_BADID) return;
    const Handle from(H5Oopen(root_, met.from.c_str(), H5P_DEFAULT), H5Oclose),
        to = owned(H5Oopen(output_, met.to.c_str(), H5P_DEFAULT), H5Oclose, what);
    const std::string parent = met.to.substr(0, met.to.rfind('/'));
    const Handle group = owned(
        H5Gopen2(output_, parent.empty() ? "/" : parent.c_str(), H5P_DEFAULT), H5Gclose, what);
    const std::string bounds = attribute_text(from, "bounds");
    if (!bounds.empty()) write_attribute(to, "bounds", bounds);
    drop_absent_variables(to, met.kind == H5I_GROUP ? hid_t{to} : hid_t{group}, skipped_);
  }

  const DatasetPath& input_;
  hid_t root_, output_;
  const OutputSpec& spec_;
  Skipped& skipped_;
  const std::function<void()>& require_written_;
  CopiedLinks links_;
  FollowedAxes axes_;
  std::string data_;
  /// `placed_` has the objects that other functions have copied before.
  CopiedPaths placed_, copies_;
  std::set<haddr_t> seen_;
  ListsOfPoints lists_;
  std::vector<Met> met_;
};

}  // namespace

void copy_rest(const DatasetPath& input, hid_t output, const OutputSpec& spec,
               const std::vector<CarriedScale>& scales, Skipped& skipped,
               const std::function<void()>& require_written) {
  RestCopier(input, output, spec, scales, skipped, require_written).copy();
}

void require_free_name(const DatasetPath& input, const OutputSpec& spec) {
  const std::vector<std::string> names = split_path(spec.dataset);
  if (names == input.names) return;
  std::string path;
  for (std::size_t i = 0; i < names.size(); ++i) {
    path += "/" + names[i];
    if (!has_link(input.groups.front(), path)) return;
    const Handle object = child_of(input.groups.front(), path.c_str());
    const bool is_group = object && H5Iget_type(object) == H5I_GROUP;
    if (is_group && i + 1 < names.size()) continue;
    throw WordsError(fmt::format(
        "output.dataset = {}: the input holds {}, which output.copy = rest copies to the output: "
        "choose another name, or write output.copy = none",
        one_line(spec.dataset), one_line(path)));
  }
}

}  // namespace stencil::storage
