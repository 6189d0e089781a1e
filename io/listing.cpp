#include "io/listing.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/child.hpp"
#include "io/hdf5/file_walk.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/hdf5/storage_environment.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/axis_coordinates.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/file_check.hpp"
#include "io/read/inspect.hpp"
#include "io/read/sampling_rate.hpp"

namespace stencil {
namespace {

using Json = nlohmann::json;
using storage::DatasetPath;

constexpr std::size_t most_listed = 2000;
// datasets of one child process; their number is limited because the time of a child is limited
constexpr std::size_t datasets_at_a_time = 16;

Json binary(const std::string& text) {
  return Json::binary({text.begin(), text.end()});
}

std::string text_of(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

Json to_json(const ListedDataset& listed) {
  Json axes = Json::array();
  for (const ListedAxis& axis : listed.axes)
    axes.push_back({binary(axis.name), axis.spacing, binary(axis.unit), axis.is_listed});
  return {binary(listed.path),
          binary(listed.refusal),
          listed.is_scale,
          binary(listed.refusal.empty() ? serialize(listed.facts) : ""),
          axes,
          binary(listed.units)};
}

ListedDataset from_json(const Json& json) {
  ListedDataset listed{text_of(json[0]), text_of(json[1]), json[2].get<bool>()};
  if (listed.refusal.empty()) listed.facts = facts_from(text_of(json[3]));
  for (const Json& axis : json[4])
    listed.axes.push_back(
        {text_of(axis[0]), axis[1].get<double>(), text_of(axis[2]), axis[3].get<bool>()});
  listed.units = text_of(json[5]);
  return listed;
}

std::string to_bytes(const Json& json) {
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

/// Sets the name, the spacing and the unit of an axis from its first dimension scale.
void add_scale(hid_t dataset, const DatasetFacts& facts, std::size_t axis, ListedAxis& listed) {
  for (const storage::Scale& scale : storage::scales_of(dataset, static_cast<int>(axis))) {
    if (!scale.dataset) continue;
    listed.is_listed = true;
    listed.name = scale.path.substr(scale.path.rfind('/') + 1);
    listed.unit = storage::attribute_text(scale.dataset, "units");
    if (const auto spacing = storage::even_spacing(scale.dataset, facts.dims[axis],
                                                   storage::period_of(scale.dataset)))
      listed.spacing = spacing->step;
    return;
  }
}

/// Sets the spacing of axes without a dimension scale from the numbers of a field of a convention.
void add_field(const storage::FileConventions& file, const storage::Field& field, hid_t object,
               const std::vector<double>& numbers, std::vector<ListedAxis>& axes) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (field.component >= 0 && i != static_cast<std::size_t>(field.component)) continue;
    const std::vector<std::size_t> which = file.axes_of(field, i);
    if (which.size() != 1 || axes[which[0]].spacing != 0) continue;
    axes[which[0]].spacing = numbers[i];
    axes[which[0]].unit = storage::unit_in(object, field);
  }
}

/// Sets the spacings of all axes except the time axis from attributes that the conventions of the
/// file define.
void add_spacings(const DatasetPath& path, const storage::FileConventions& file,
                  std::vector<ListedAxis>& axes) {
  std::vector<hid_t> near{path.dataset};
  for (const hid_t group : storage::groups_near(path)) near.push_back(group);
  for (const storage::Convention* row : file.rows())
    for (const storage::Field& field : row->fields) {
      const storage::Place place(field.where);
      if (field.meaning != storage::Meaning::spacing || field.axis == "time" ||
          place.attribute.empty())
        continue;
      const storage::FoundObject other =
          place.path.empty() ? storage::FoundObject() : file.object_at(place.path);
      std::vector<hid_t> objects;
      if (place.path.empty())
        objects = near;
      else if (other.object)
        objects.push_back(other.object);
      for (const hid_t object : objects) {
        const std::vector<double> numbers = storage::stated_numbers(object, place.attribute);
        add_field(file, field, object, numbers, axes);
        if (!numbers.empty()) break;
      }
    }
}

/// Describes a dataset. Called in a child process. @throws  like inspect()
ListedDataset describe(const std::string& file_name, const std::string& name) {
  ListedDataset listed{name, {}};
  listed.facts = storage::inspect(file_name, name);
  const storage::Handle file = storage::open_for_reading(file_name);
  const DatasetPath path = storage::open_dataset(file, file_name, name);
  listed.is_scale = storage::attribute_text(path.dataset, "CLASS") == "DIMENSION_SCALE";
  listed.units = storage::attribute_text(path.dataset, "units");
  const storage::FileConventions conventions(path, listed.facts.dims);
  listed.axes.resize(listed.facts.dims.size());
  for (std::size_t axis = 0; axis < listed.axes.size(); ++axis) {
    listed.axes[axis].name = conventions.axes().name(axis);
    add_scale(path.dataset, listed.facts, axis, listed.axes[axis]);
  }
  add_spacings(path, conventions, listed.axes);
  return listed;
}

/// Removes the name of the dataset from the beginning of a message, and the remedy from the end of
/// the message of a WordsError.
std::string refusal_of(const std::string& message, const std::string& where, bool has_remedy) {
  std::string text = message;
  if (text.starts_with(where)) text.erase(0, where.size());
  text.erase(0, text.find_first_not_of(": "));
  return has_remedy ? text.substr(0, text.find(": ")) : text;
}

/// Describes a dataset. Called in a child process. If the dataset cannot be read, the result
/// contains the reason instead of the description.
Json describe_or_refuse(const std::string& file, const std::string& name) {
  const std::string where = storage::qualified_name(file, name);
  try {
    return to_json(describe(file, name));
  } catch (const WordsError& error) {
    return to_json({name, refusal_of(error.what(), where, true)});
  } catch (const StorageError& error) {
    return to_json({name, refusal_of(error.what(), where, false)});
  }
}

std::vector<ListedDataset> look_at(const std::string& file, const std::vector<std::string>& names) {
  const std::string bytes =
      storage::run_in_child(storage::qualified_name(file, names.front()), [&] {
        prepare_storage_environment();
        Json all = Json::array();
        for (const std::string& name : names) all.push_back(describe_or_refuse(file, name));
        return to_bytes(all);
      });
  std::vector<ListedDataset> datasets;
  for (const Json& one : Json::from_cbor(bytes)) datasets.push_back(from_json(one));
  return datasets;
}

/// Inspects the datasets of a file and adds them to its listing.
class Lister {
 public:
  Lister(const std::string& file, std::vector<ListedDataset>& datasets)
      : file_(file), datasets_(datasets) {}

  /// If a child crashes or exceeds a limit, each dataset is inspected again in a separate child,
  /// because it is not known which dataset was the cause. After two datasets whose inspection takes
  /// too long, the further datasets are only named, because a file may have two thousand such
  /// datasets.
  void add(const std::vector<std::string>& names) {
    if (slow_ == most_slow) {
      for (const std::string& name : names)
        datasets_.push_back({name, "not looked at: other datasets of this file took too long"});
      return;
    }
    const auto begun = std::chrono::steady_clock::now();
    try {
      for (ListedDataset& one : look_at(file_, names)) datasets_.push_back(std::move(one));
    } catch (const StorageError& error) {
      const std::string where = storage::qualified_name(file_, names.front());
      if (names.size() == 1) {
        if (std::chrono::steady_clock::now() - begun > long_time) ++slow_;
        datasets_.push_back({names.front(), refusal_of(error.what(), where, false)});
      } else {
        for (const std::string& name : names) add({name});
      }
    }
  }

 private:
  static constexpr int most_slow = 2;
  static constexpr std::chrono::seconds long_time{5};

  const std::string& file_;
  std::vector<ListedDataset>& datasets_;
  int slow_ = 0;  ///< number of datasets whose inspection took too long
};

}  // namespace

FileListing list_datasets(const std::string& file) {
  const std::string bytes = storage::run_in_child(storage::qualified_name(file, ""), [&] {
    prepare_storage_environment();
    storage::check_signature(file, storage::file_state(file).bytes);
    Json paths = Json::array();
    std::size_t left_out = 0;
    const bool is_whole =
        storage::walk_file(storage::open_for_reading(file), [&](const storage::MetObject& met) {
          if (met.type != H5O_TYPE_DATASET) return true;
          if (paths.size() < most_listed)
            paths.push_back(binary(met.path()));
          else
            ++left_out;
          return true;
        });
    return to_bytes({paths, left_out, is_whole});
  });
  const Json answer = Json::from_cbor(bytes);
  FileListing listing;
  listing.left_out = answer[1].get<std::size_t>();
  listing.is_whole = answer[2].get<bool>();
  Lister lister(file, listing.datasets);
  std::vector<std::string> names;
  for (const Json& path : answer[0]) {
    names.push_back(text_of(path));
    if (names.size() < datasets_at_a_time) continue;
    lister.add(names);
    names.clear();
  }
  if (!names.empty()) lister.add(names);
  return listing;
}

ListedDataset list_dataset(const std::string& file, const std::string& dataset) {
  const std::string bytes = storage::run_in_child(storage::qualified_name(file, dataset), [&] {
    prepare_storage_environment();
    return to_bytes(to_json(describe(file, dataset)));
  });
  return from_json(Json::from_cbor(bytes));
}

}  // namespace stencil
