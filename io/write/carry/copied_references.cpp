#include "io/write/carry/copied_references.hpp"

#include <cstring>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/write/carry/followed_axes.hpp"

namespace stencil::storage {
namespace {

class Pointer {
 public:
  Pointer(hid_t input, hid_t output, const CopiedPaths& copies)
      : input_(input), output_(output), copies_(copies) {}

  void change(hid_t type, std::byte* values, std::size_t count) const {
    if (H5Tdetect_class(type, H5T_REFERENCE) <= 0) return;
    const std::size_t size = H5Tget_size(type);
    for (std::size_t i = 0; i < count; ++i, values += size) switch (H5Tget_class(type)) {
        case H5T_REFERENCE:
          change_one(values);
          break;
        case H5T_COMPOUND:
          change_members(type, values);
          break;
        case H5T_ARRAY:
          change_array(type, values, size);
          break;
        case H5T_VLEN:
          change_list(type, values);
          break;
        default:
          break;
      }
  }

 private:
  void change_one(std::byte* value) const {
    hobj_ref_t reference{};
    std::memcpy(&reference, value, sizeof reference);
    if (reference == 0) return;
    const Handle object(H5Rdereference2(input_, H5P_DEFAULT, H5R_OBJECT, &reference), H5Oclose);
    const auto copy = object ? copies_.find(address_of_object(object)) : copies_.end();
    hobj_ref_t other{};
    if (copy != copies_.end() &&
        H5Rcreate(&other, output_, copy->second.c_str(), H5R_OBJECT, H5I_INVALID_HID) < 0)
      other = 0;
    std::memcpy(value, &other, sizeof other);
  }
  void change_members(hid_t type, std::byte* value) const {
    for (int i = 0; i < H5Tget_nmembers(type); ++i) {
      const auto number = static_cast<unsigned>(i);
      const Handle member(H5Tget_member_type(type, number), H5Tclose);
      change(member, value + H5Tget_member_offset(type, number), 1);
    }
  }
  void change_array(hid_t type, std::byte* value, std::size_t size) const {
    const Handle base(H5Tget_super(type), H5Tclose);
    change(base, value, size / H5Tget_size(base));
  }
  void change_list(hid_t type, std::byte* value) const {
    hvl_t list{};
    std::memcpy(&list, value, sizeof list);
    const Handle base(H5Tget_super(type), H5Tclose);
    if (list.p) change(base, static_cast<std::byte*>(list.p), list.len);
  }

  hid_t input_, output_;
  const CopiedPaths& copies_;
};

}  // namespace

bool has_object_references(hid_t type) {
  if (H5Tdetect_class(type, H5T_REFERENCE) <= 0) return false;
  switch (H5Tget_class(type)) {
    case H5T_REFERENCE:
      return H5Tequal(type, H5T_STD_REF_OBJ) > 0;
    case H5T_COMPOUND:
      for (int i = 0; i < H5Tget_nmembers(type); ++i) {
        const Handle member(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose);
        if (H5Tdetect_class(member, H5T_REFERENCE) > 0 && !has_object_references(member))
          return false;
      }
      return true;
    default:
      return has_object_references(Handle(H5Tget_super(type), H5Tclose));
  }
}

void point_to_copies(hid_t input, hid_t output, const CopiedPaths& copies, hid_t type,
                     std::byte* values, std::size_t count) {
  Pointer(input, output, copies).change(type, values, count);
}

}  // namespace stencil::storage
