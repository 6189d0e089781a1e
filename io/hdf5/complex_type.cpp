#include "io/hdf5/complex_type.hpp"

#include <cctype>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil::storage {
namespace {

std::string name_of_member(hid_t type, unsigned member) {
  char* const found = H5Tget_member_name(type, member);
  const std::string name = found ? found : "";
  H5free_memory(found);
  return name;
}

std::string in_lower_case(std::string name) {
  for (char& letter : name)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

void insert(hid_t type, const std::string& name, std::size_t offset, ElementType part) {
  checked(H5Tinsert(type, name.c_str(), offset, native_type(part)),
          "cannot describe complex numbers");
}

Handle compound(std::size_t bytes) {
  return owned(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose, "cannot describe complex numbers");
}

}  // namespace

bool are_names_of_parts(const std::string& real, const std::string& imaginary) {
  const std::string r = in_lower_case(real), i = in_lower_case(imaginary);
  return (r == "r" || r == "re" || r == "real") &&
         (i == "i" || i == "im" || i == "imag" || i == "imaginary");
}

std::optional<ComplexType> complex_type_of(hid_t file_type) {
  if (H5Tget_class(file_type) != H5T_COMPOUND || H5Tget_nmembers(file_type) != 2)
    return std::nullopt;
  Handle first(H5Tget_member_type(file_type, 0), H5Tclose);
  const Handle second(H5Tget_member_type(file_type, 1), H5Tclose);
  if (!is_standard_float(first) || H5Tequal(first, second) <= 0 || H5Tget_size(first) < 4)
    return std::nullopt;
  const std::string one = name_of_member(file_type, 0), other = name_of_member(file_type, 1);
  const bool is_turned = are_names_of_parts(other, one);
  const unsigned real = is_turned ? 1 : 0;
  const std::size_t size = H5Tget_size(first);
  ComplexType type;
  type.part = size == 8 ? ElementType::float64 : ElementType::float32;
  type.real = is_turned ? other : one;
  type.imaginary = is_turned ? one : other;
  type.is_dense = H5Tget_member_offset(file_type, real) == 0 &&
                  H5Tget_member_offset(file_type, 1 - real) == size &&
                  H5Tget_size(file_type) == 2 * size;
  type.stored_part = std::move(first);
  return type;
}

Handle memory_type(const ComplexType& type, Index part) {
  const std::size_t size = size_of(type.part);
  Handle memory = compound(part < 0 ? 2 * size : size);
  if (part != 1) insert(memory, type.real, 0, type.part);
  if (part != 0) insert(memory, type.imaginary, part < 0 ? size : 0, type.part);
  return memory;
}

Handle complex_output_type(ElementType part) {
  ComplexType type;
  type.part = part;
  type.real = std::string("r");  // g++ 12 warns falsely about the assignment of a literal
  type.imaginary = std::string("i");
  return memory_type(type, -1);
}

}  // namespace stencil::storage
