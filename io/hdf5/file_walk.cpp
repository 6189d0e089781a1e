#include "io/hdf5/file_walk.hpp"

#include <algorithm>
#include <set>

#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_links = 200'000;  // about one second

struct Link {
  std::string name;
  haddr_t address;
};

herr_t collect_hard_link(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto& links = *static_cast<std::vector<Link>*>(data);
  if (info->type == H5L_TYPE_HARD) links.push_back({name, info->u.address});
  return links.size() < most_links ? 0 : 1;
}

/// Lists the hard links of a group. @returns whether all could be listed
bool list_links(hid_t group, std::vector<Link>& links) {
  hsize_t position = 0;
  return succeeded(
      H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, collect_hard_link, &links), group,
      "cannot list its links");
}

/// A group on the current path, and its links. Links from `next` on have not been visited yet.
struct Level {
  Handle group;
  std::vector<Link> links{};
  std::size_t next = 0;
};

class Walk {
 public:
  explicit Walk(const std::function<bool(const MetObject&)>& meet) : meet_(meet) {}

  bool run(hid_t file) {
    enter(owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "cannot open the root of a file"));
    while (!levels_.empty() && goes_on_) {
      Level& level = levels_.back();
      if (level.next == level.links.size())
        leave();
      else
        meet(level.group, level.links[level.next++]);
    }
    return is_whole_;
  }

 private:
  void enter(Handle group) {
    levels_.push_back({std::move(group)});
    is_whole_ &= list_links(levels_.back().group, levels_.back().links);
  }

  void leave() {
    levels_.pop_back();
    if (!names_.empty()) names_.pop_back();
  }

  void meet(hid_t group, const Link& link) {
    H5O_info_t info{};
    if (++met_ > most_links) goes_on_ = false;
    if (!succeeded(
            H5Oget_info_by_name2(group, link.name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
            group, "cannot examine its contents")) {
      is_whole_ = false;
      return;
    }
    names_.push_back(link.name);
    goes_on_ &= meet_({names_, info.type, info.addr});
    const bool is_new_group = info.type == H5O_TYPE_GROUP && groups_.insert(info.addr).second;
    if (!is_new_group) return names_.pop_back();
    Handle below(H5Gopen2(group, link.name.c_str(), H5P_DEFAULT), H5Gclose);
    if (succeeded(below ? 0 : -1, group, "cannot open a group")) return enter(std::move(below));
    is_whole_ = false;
    names_.pop_back();
  }

  const std::function<bool(const MetObject&)>& meet_;
  std::vector<Level> levels_;
  std::vector<std::string> names_;
  std::set<haddr_t> groups_;
  std::size_t met_ = 0;
  bool goes_on_ = true, is_whole_ = true;
};

}  // namespace

std::string MetObject::path() const {
  std::string path;
  for (const std::string& name : names) path.append("/").append(name);
  return path;
}

bool walk_file(hid_t file, const std::function<bool(const MetObject&)>& meet) {
  return Walk(meet).run(file);
}

std::string path_of(hid_t object, const std::string& near) {
  H5O_info_t info{};
  if (!succeeded(H5Oget_info2(object, &info, H5O_INFO_BASIC), object, "cannot examine it"))
    return "";
  const std::string parent = near.substr(0, near.rfind('/'));
  const Handle group(H5Gopen2(object, parent.empty() ? "/" : parent.c_str(), H5P_DEFAULT),
                     H5Gclose);
  std::vector<Link> links;
  if (succeeded(group ? 0 : -1, object, "cannot open its group")) list_links(group, links);
  for (const Link& link : links)
    if (link.address == info.addr) return parent + "/" + link.name;
  std::string found;
  walk_file(object, [&](const MetObject& met) {
    if (met.address == info.addr) found = met.path();
    return found.empty();
  });
  return found;
}

}  // namespace stencil::storage
