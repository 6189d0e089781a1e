#include "io/write/output/sources_beside.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/file_check.hpp"
#include "io/read/inspect.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/output/source_pattern.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> naming{"coordinates",   "ancillary_variables", "grid_mapping",
                                      "cell_measures", "formula_terms",       "climatology"};

using Text = ssize_t (*)(hid_t, std::size_t, char*, std::size_t);

/// Reads a name of a mapping of a virtual dataset. @returns an empty text if the name cannot be
/// read
std::string name_by(Text call, hid_t creation, std::size_t number) {
  const ssize_t length = call(creation, number, nullptr, 0);
  if (length < 0) return "";
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  if (call(creation, number, name.data(), name.size()) < 0) return "";
  name.pop_back();
  return name;
}

/// Collects the sources of the virtual datasets of one file.
class Sources {
 public:
  explicit Sources(const std::string& file) : file_(file) {
    std::error_code error;
    const fs::path whole = fs::canonical(file, error);
    folder_ = (error ? fs::path(file) : whole).parent_path();
  }

  /// Adds the sources of a dataset, if it is virtual.
  void add(hid_t dataset) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    std::size_t count = 0;
    if (!creation || H5Pget_layout(creation) != H5D_VIRTUAL ||
        H5Pget_virtual_count(creation, &count) < 0)
      return;
    for (std::size_t i = 0; i < count; ++i)
      add_names(name_by(H5Pget_virtual_filename, creation, i),
                name_by(H5Pget_virtual_dsetname, creation, i));
    add_nested(file_, object_name(dataset));
  }

  std::vector<std::string> take() const { return {files_.begin(), files_.end()}; }

 private:
  void add_names(const std::string& name, const std::string& dataset) {
    if (name.empty() || name == ".") return;
    const SourcePattern pattern(name);
    if (!pattern.has_number()) {
      files_.insert((folder_ / pattern.name(0)).string());
      return;
    }
    for (const auto& [number, file] : pattern.existing(folder_)) {
      files_.insert(file);
      // inspect() does not follow patterns
      add_nested(file, SourcePattern(dataset).name(number));
    }
  }

  void add_nested(const std::string& file, const std::string& dataset) {
    try {
      for (const std::string& nested : inspect(file, dataset).sources) files_.insert(nested);
    } catch (const Error&) {
      // the run does not read this dataset, so it may be damaged or not numeric
    }
  }

  std::string file_;
  fs::path folder_;
  std::set<std::string> files_;
};

/// Returns the variable to which a name in an attribute refers. The variable is in the dataset's
/// group or in a group above it.
Handle variable_of(const DatasetPath& path, const std::string& name) {
  Handle found;
  if (name.find('/') != name.npos) return found;
  for (std::size_t depth = path.groups.size(); depth-- > 0 && !found;)
    found = member(path.groups[depth], name, H5I_DATASET);
  return found;
}

}  // namespace

std::vector<std::string> sources_beside(const DatasetFacts& facts) {
  const Handle file = open_for_reading(facts.file);
  const DatasetPath path = open_dataset(file, facts.file, facts.dataset);
  Sources sources(facts.file);
  std::vector<std::string> names = names_in(path.dataset, naming);
  for (std::size_t axis = 0; axis < facts.dims.size(); ++axis)
    for (const Scale& scale : scales_of(path.dataset, static_cast<int>(axis))) {
      if (!scale.dataset) continue;
      sources.add(scale.dataset);
      names.push_back(attribute_text(scale.dataset, "bounds"));
    }
  for (const char* time : {"time", "t"}) names.emplace_back(time);
  for (const std::string& name : names)
    if (const Handle variable = name.empty() ? Handle() : variable_of(path, name))
      sources.add(variable);
  return sources.take();
}

}  // namespace stencil::storage
