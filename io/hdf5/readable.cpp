#include "io/hdf5/readable.hpp"

#include <string>

#include "framework/grid/one_line.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil::storage {
namespace {

constexpr int most_nested = 16;

bool is_readable_within(hid_t type, int depth);

bool has_readable_name(hid_t type, unsigned member) {
  char* const name = H5Tget_member_name(type, member);
  const bool is_text = name && is_utf8(name);
  H5free_memory(name);
  return is_text;
}

bool is_readable_compound(hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  for (int i = 0; i < members; ++i) {
    const auto member = static_cast<unsigned>(i);
    const Handle inner(H5Tget_member_type(type, member), H5Tclose);
    if (!has_readable_name(type, member) || !is_readable_within(inner, depth) ||
        H5Tget_member_offset(type, member) + H5Tget_size(inner) > H5Tget_size(type))
      return false;
  }
  return members > 0;
}

/// Returns whether h5py can read an opaque type. It reads only types without a tag or with a tag of
/// NumPy, because HDF5 does not convert tags.
bool has_readable_tag(hid_t type) {
  char* const tag = H5Tget_tag(type);
  const std::string text = tag ? tag : "?";
  H5free_memory(tag);
  return text.empty() || text.starts_with("NUMPY:");
}

bool is_readable_enumeration(hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  for (int i = 0; i < members; ++i)
    if (!has_readable_name(type, static_cast<unsigned>(i))) return false;
  const Handle base(H5Tget_super(type), H5Tclose);
  return members > 0 && is_readable_within(base, depth);
}

bool is_readable_within(hid_t type, int depth) {
  if (depth == 0) return false;
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_BITFIELD:
      return size == 1 || size == 2 || size == 4 || size == 8;
    case H5T_FLOAT:
      return is_standard_float(type) || H5Tequal(type, H5T_NATIVE_LDOUBLE) > 0;
    case H5T_STRING: {
      const H5T_cset_t characters = H5Tget_cset(type);
      return characters == H5T_CSET_ASCII || characters == H5T_CSET_UTF8;
    }
    case H5T_OPAQUE:
      return has_readable_tag(type);
    case H5T_COMPOUND:
      return is_readable_compound(type, depth - 1);
    case H5T_ENUM:
      return is_readable_enumeration(type, depth - 1);
    case H5T_ARRAY:
    case H5T_VLEN: {
      const Handle base(H5Tget_super(type), H5Tclose);
      return is_readable_within(base, depth - 1);
    }
    default:
      return false;
  }
}

}  // namespace

bool is_readable(hid_t type) {
  return is_readable_within(type, most_nested);
}

}  // namespace stencil::storage
