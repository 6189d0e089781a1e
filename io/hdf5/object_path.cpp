#include "io/hdf5/object_path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <sstream>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"

namespace stencil::storage {
namespace {

constexpr int most_soft_links = 32;  // a path with more soft links is treated as a loop

[[noreturn]] void throw_missing(hid_t file, const std::string& file_name, const std::string& path) {
  std::vector<std::string> nearest = nearest_datasets(file, file_name, path);
  for (std::string& name : nearest) name = one_line(name);
  throw WordsError(fmt::format(
      "{} holds no dataset {}: {}", one_line(file_name), one_line(path),
      nearest.empty() ? std::string("it holds no dataset at all")
                      : fmt::format("the nearest ones are {}", fmt::join(nearest, ", "))));
}

std::string soft_target(hid_t group, const std::string& name, std::size_t size,
                        const std::string& where) {
  std::string target(size + 1, '\0');
  checked(H5Lget_val(group, name.c_str(), target.data(), target.size(), H5P_DEFAULT),
          where + ": cannot read a soft link");
  return target.c_str();
}

/// Follows a path through groups and soft links.
class Walk {
 public:
  /// @param suggests  whether messages name the nearest datasets, which requires a walk through the
  ///                  file
  Walk(hid_t file, const std::string& file_name, const std::string& path, bool suggests = true)
      : file_(file),
        file_name_(file_name),
        path_(path),
        where_(qualified_name(file_name, path)),
        suggests_(suggests) {
    const std::vector<std::string> steps = split_path(path);
    ahead_.assign(steps.begin(), steps.end());
    go_to_root();
  }

  DatasetPath run() {
    while (!ahead_.empty()) {
      const std::string name = ahead_.front();
      ahead_.pop_front();
      step(name);
    }
    return std::move(found_);
  }
  DatasetPath run_to_dataset() {
    DatasetPath found = run();
    if (!found.dataset)
      throw WordsError(
          fmt::format("{} is a group, not a dataset: {}", where_, children(found.groups.back())));
    return found;
  }

 private:
  void go_to_root() {
    found_.groups.clear();
    found_.names.clear();
    found_.groups.push_back(
        owned(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose, where_ + ": cannot open the root"));
  }

  [[noreturn]] void throw_absent() const {
    if (suggests_) throw_missing(file_, file_name_, path_);
    throw WordsError(where_ + " leads nowhere");
  }

  void step(const std::string& name) {
    if (found_.dataset) throw_absent();
    const hid_t group = found_.groups.back();
    if (!has_link(group, name)) throw_absent();
    H5L_info_t link{};
    checked(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT), where_ + ": cannot read a link");
    if (link.type == H5L_TYPE_SOFT)
      return follow(soft_target(group, name, link.u.val_size, where_));
    if (link.type != H5L_TYPE_HARD)
      throw StorageError(
          fmt::format("{}: `{}` is a link into another file, which is not followed: name that file "
                      "as input.file",
                      where_, one_line(name)));
    enter(name);
  }

  void follow(const std::string& target) {
    if (++soft_links_ > most_soft_links)
      throw StorageError(fmt::format("{} goes round in a loop of soft links", where_));
    if (target.starts_with('/')) go_to_root();
    const std::vector<std::string> steps = split_path(target);
    ahead_.insert(ahead_.begin(), steps.begin(), steps.end());
  }

  void enter(const std::string& name) {
    Handle object = owned(H5Oopen(found_.groups.back(), name.c_str(), H5P_DEFAULT), H5Oclose,
                          where_ + ": cannot open it");
    const H5I_type_t kind = H5Iget_type(object);
    if (kind != H5I_GROUP && kind != H5I_DATASET)
      throw WordsError(fmt::format("{} is a stored type, not a dataset", where_));
    found_.names.push_back(name);
    if (kind == H5I_GROUP)
      found_.groups.push_back(std::move(object));
    else
      found_.dataset = std::move(object);
  }

  static std::string children(hid_t group) {
    std::vector<std::string> names = child_names(group, 8);
    if (names.empty()) return "and it is empty";
    for (std::string& name : names) name = shortened(name);
    return fmt::format("it holds {}", fmt::join(names, ", "));
  }

  hid_t file_;
  std::string file_name_, path_, where_;
  std::deque<std::string> ahead_;
  DatasetPath found_;
  const bool suggests_;
  int soft_links_ = 0;
};

}  // namespace

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> names;
  std::istringstream stream(path);
  for (std::string name; std::getline(stream, name, '/');)
    if (!name.empty() && name != ".") names.push_back(name);
  return names;
}

DatasetPath open_dataset(hid_t file, const std::string& file_name, const std::string& path) {
  return Walk(file, file_name, path).run_to_dataset();
}

Handle child_of(hid_t group, const char* name) {
  if (!has_link(group, name)) return {};
  H5L_info_t link{};
  if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0)
    throw_lookup(group, fmt::format("cannot look up {}", name));
  if (link.type != H5L_TYPE_HARD) return {};
  Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
  succeeded(object ? 0 : -1, group, fmt::format("cannot open {}", name));
  return object;
}

std::optional<haddr_t> address_behind(hid_t group, const std::string& name) {
  H5L_info_t link{};
  if (!succeeded(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT), group,
                 "cannot look up " + one_line(name)))
    return std::nullopt;
  if (link.type == H5L_TYPE_HARD) return link.u.address;
  if (link.type != H5L_TYPE_SOFT) return std::nullopt;
  const Handle file(H5Iget_file_id(group), H5Fclose);
  try {
    const DatasetPath found =
        Walk(file, object_file(group), object_name(group) + "/" + name, false).run();
    H5O_info_t info{};
    const hid_t object = found.dataset ? found.dataset : found.groups.back();
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) >= 0) return info.addr;
  } catch (const WordsError&) {  // the link has no target
  } catch (const StorageError&) {
    if (storage_failed()) throw;  // otherwise the link leads to another file or to itself
  }
  return std::nullopt;
}

}  // namespace stencil::storage
