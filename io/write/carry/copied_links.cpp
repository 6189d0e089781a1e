#include "io/write/carry/copied_links.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/read/coordinates.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/output_paths.hpp"

namespace stencil::storage {
namespace {

constexpr const char* what = "cannot copy a link of the input";

herr_t collect(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto& names = *static_cast<LinkNames*>(data);
  if (info->cset != H5T_CSET_UTF8 &&
      !std::all_of(name, name + std::string(name).size(),
                   [](char c) { return static_cast<signed char>(c) >= 0; })) {
    names.are_all = false;
    return 0;
  }
  auto& kind = info->type == H5L_TYPE_HARD       ? names.hard
               : info->type == H5L_TYPE_SOFT     ? names.soft
               : info->type == H5L_TYPE_EXTERNAL ? names.external
                                                 : names.other;
  kind.emplace_back(name);
  return 0;
}

/// Reads the value of a link.
std::vector<char> value_of(hid_t input, const std::string& path) {
  H5L_info_t info{};
  checked(H5Lget_info(input, path.c_str(), &info, H5P_DEFAULT), what);
  std::vector<char> value(info.u.val_size + 1, '\0');
  checked(H5Lget_val(input, path.c_str(), value.data(), info.u.val_size, H5P_DEFAULT), what);
  return value;
}

/// Converts the name of a file in a link of `file` to a name that is valid in a link of `other`.
std::string seen_from(const std::string& other, const std::string& file, const std::string& name) {
  namespace fs = std::filesystem;
  if (fs::path(name).is_absolute()) return name;
  const fs::path here = fs::path(OutputPaths::of(file).folder),
                 there = fs::path(OutputPaths::of(other).folder);
  return here == there ? name : (here / name).lexically_relative(there).string();
}

}  // namespace

LinkNames links_of(hid_t group) {
  LinkNames names;
  hsize_t position = 0;
  if (!succeeded(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, collect, &names), group,
                 "cannot list its links"))
    names.are_all = false;
  return names;
}

void CopiedLinks::add(const LinkNames& names, const std::string& path, const std::string& to) {
  for (const std::string& name : names.soft) soft_.emplace_back(path + "/" + name, to + "/" + name);
  for (const std::string& name : names.external)
    external_.emplace_back(path + "/" + name, to + "/" + name);
  for (const std::string& name : names.other)
    tell(path + "/" + name, "which is of a kind that is not copied");
}

void CopiedLinks::make(const CopiedPaths& copies) {
  for (const auto& [address, to] : hard_) {
    const auto copy = copies.find(address);
    if (copy == copies.end())
      tell(to, "whose target the output does not hold");
    else if (is_free(to))
      checked(H5Lcreate_hard(output_, copy->second.c_str(), output_, to.c_str(), H5P_DEFAULT,
                             H5P_DEFAULT),
              what);
  }
  for (const Pair& link : external_) make_external(link);
  std::vector<Pair> made;
  for (const Pair& link : soft_)
    if (is_free(link.second)) {
      make_soft(link);
      made.push_back(link);
    }
  for (const Pair& link : made) drop_broken(link);
}

void CopiedLinks::tell(const std::string& path, const char* why) {
  skipped_.push_back(fmt::format("link {}, {}", one_line(path), why));
}

bool CopiedLinks::is_free(const std::string& path) const {
  return !has_link(output_, path);
}

void CopiedLinks::make_soft(const Pair& link) {
  const std::vector<char> target = value_of(input_, link.first);
  checked(H5Lcreate_soft(target.data(), output_, link.second.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          what);
}

/// Removes a link whose target exists in the input but not in the output.
void CopiedLinks::drop_broken(const Pair& link) {
  if (address_behind(output_, link.second) || !address_behind(input_, link.first)) return;
  checked(H5Ldelete(output_, link.second.c_str(), H5P_DEFAULT), what);
  tell(link.first, "whose target the output does not hold");
}

void CopiedLinks::make_external(const Pair& link) {
  if (!is_free(link.second)) return;
  for (std::size_t axis = 0; axis < spec_.sampling.size(); ++axis)
    if (is_resampled(spec_, axis))
      return tell(link.first, "which leads into another file, of other points");
  const std::vector<char> value = value_of(input_, link.first);
  unsigned flags = 0;
  const char *file = nullptr, *path = nullptr;
  checked(H5Lunpack_elink_val(value.data(), value.size() - 1, &flags, &file, &path), what);
  checked(H5Lcreate_external(seen_from(spec_.file, spec_.input.file, file).c_str(), path, output_,
                             link.second.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          what);
}

}  // namespace stencil::storage
