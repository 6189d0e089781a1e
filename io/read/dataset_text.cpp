#include "io/read/dataset_text.hpp"

#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinate_numbers.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t longest = std::size_t{1} << 16;  // bytes

bool holds_one_text(hid_t dataset, hid_t type) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  return type >= 0 && H5Tget_class(type) == H5T_STRING && space &&
         H5Sget_simple_extent_npoints(space) == 1;
}

}  // namespace

std::string dataset_text(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!holds_one_text(dataset, type) || !is_stored_here(dataset)) return "";
  const std::size_t size = H5Tget_size(type);
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    const herr_t read = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text);
    if (!succeeded(read, dataset, "cannot read it") || text == nullptr) return "";
    const std::string copy(text);
    H5free_memory(text);
    return copy;
  }
  if (size == 0 || size > longest) return "";
  std::vector<char> text(size + 1);
  if (!succeeded(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), dataset,
                 "cannot read it"))
    return "";
  return text.data();
}

}  // namespace stencil::storage
