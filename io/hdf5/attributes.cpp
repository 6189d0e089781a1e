#include "io/hdf5/attributes.hpp"

#include <fmt/core.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

constexpr hssize_t most_values = 1 << 16;
constexpr rlim_t most_text_bytes = rlim_t{1} << 30;  // limit for an attribute of variable length

struct OpenAttribute {
  Handle id, type;
  std::size_t values = 0;
};

/// Opens an attribute whose size is within the limits; otherwise returns std::nullopt.
/// @throws StorageError the file cannot be read
std::optional<OpenAttribute> open_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) return std::nullopt;
  OpenAttribute opened;
  opened.id = Handle(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!succeeded(opened.id ? 0 : -1, object, "cannot open the attribute " + one_line(name)))
    return std::nullopt;
  opened.type = Handle(H5Aget_type(opened.id), H5Tclose);
  const Handle space(H5Aget_space(opened.id), H5Sclose);
  if (!opened.type || !space || !is_sound(opened.id, name, attribute_room(object)))
    return std::nullopt;
  const hssize_t values = H5Sget_simple_extent_npoints(space);
  if (values < 1 || values > most_values) return std::nullopt;
  opened.values = static_cast<std::size_t>(values);
  return opened;
}

std::vector<std::string> read_variable_texts(const OpenAttribute& attribute) {
  std::vector<std::string> texts;
  std::vector<char*> pointers(attribute.values, nullptr);
  const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(memory, H5T_VARIABLE);
  H5Tset_cset(memory, H5Tget_cset(attribute.type));
  if (!read_attribute(attribute.id, memory, pointers.data())) return texts;
  for (char* pointer : pointers) texts.emplace_back(pointer ? pointer : "");
  const Handle space(H5Aget_space(attribute.id), H5Sclose);
  H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
  return texts;
}

std::vector<std::string> read_fixed_texts(const OpenAttribute& attribute) {
  std::vector<std::string> texts;
  const std::size_t size = H5Tget_size(attribute.type);
  if (size == 0 || size > (std::size_t{1} << 20)) return texts;
  std::string bytes(size * attribute.values, '\0');
  if (!read_attribute(attribute.id, attribute.type, bytes.data())) return texts;
  for (std::size_t i = 0; i < attribute.values; ++i) {
    std::string text = bytes.substr(i * size, size);
    text.resize(::strnlen(text.c_str(), size));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    texts.push_back(std::move(text));
  }
  return texts;
}

template <class Number>
std::vector<ElementValue> read_values(const OpenAttribute& attribute, hid_t type) {
  std::vector<Number> numbers(attribute.values);
  if (!read_attribute(attribute.id, type, numbers.data())) return {};
  return {numbers.begin(), numbers.end()};
}

void write_value(hid_t object, const std::string& name, hid_t type, const void* value) {
  const std::string what = fmt::format("cannot write the attribute {}", one_line(name));
  if (has_attribute(object, name)) checked(H5Adelete(object, name.c_str()), what);
  const Handle scalar = owned(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle attribute = owned(
      H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, type, value), what);
}

/// Limits the memory that this process can allocate, during the lifetime of the object. A damaged
/// text may state any length, and HDF5 allocates memory of this length before it checks the length.
class MemoryLimit {
 public:
  explicit MemoryLimit([[maybe_unused]] rlim_t bytes) {
#ifndef __SANITIZE_ADDRESS__  // the sanitizer maps terabytes of shadow memory
    unsigned long pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    const bool is_known = file && std::fscanf(file, "%lu", &pages) == 1;
    if (file) std::fclose(file);
    if (!is_known || ::getrlimit(RLIMIT_AS, &before_) != 0) return;
    rlimit limit = before_;
    limit.rlim_cur =
        std::min(before_.rlim_cur, pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bytes);
    is_set_ = ::setrlimit(RLIMIT_AS, &limit) == 0;
#endif
  }
  ~MemoryLimit() {
    if (is_set_) ::setrlimit(RLIMIT_AS, &before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool is_set_ = false;
};

}  // namespace

bool is_sound(hid_t attribute, const std::string& name, const AttributeRoom& room) {
  const Handle space(H5Aget_space(attribute), H5Sclose);
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind != H5S_SCALAR && kind != H5S_SIMPLE && kind != H5S_NULL) return false;
  const auto held = room.find(name);
  return held == room.end() || static_cast<Index>(H5Aget_storage_size(attribute)) <= held->second;
}

bool read_attribute(hid_t attribute, hid_t type, void* values) {
  herr_t result = 0;
  if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0) {
    const MemoryLimit limit(most_text_bytes);
    result = H5Aread(attribute, type, values);
  } else {
    result = H5Aread(attribute, type, values);
  }
  return succeeded(result, attribute, "cannot read an attribute");
}

std::optional<std::vector<double>> attribute_numbers(hid_t object, const std::string& name) {
  const auto attribute = open_attribute(object, name);
  if (!attribute) return std::nullopt;
  const H5T_class_t kind = H5Tget_class(attribute->type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return std::nullopt;
  std::vector<double> values(attribute->values);
  if (!read_attribute(attribute->id, H5T_NATIVE_DOUBLE, values.data())) return std::nullopt;
  return values;
}

std::vector<ElementValue> attribute_values(hid_t object, const std::string& name) {
  const auto attribute = open_attribute(object, name);
  if (!attribute) return {};
  const H5T_class_t kind = H5Tget_class(attribute->type);
  if (kind == H5T_FLOAT) return read_values<double>(*attribute, H5T_NATIVE_DOUBLE);
  if (kind != H5T_INTEGER) return {};
  return H5Tget_sign(attribute->type) == H5T_SGN_NONE
             ? read_values<std::uint64_t>(*attribute, H5T_NATIVE_UINT64)
             : read_values<std::int64_t>(*attribute, H5T_NATIVE_INT64);
}

std::vector<std::complex<double>> attribute_complex_numbers(hid_t object, const std::string& name) {
  if (const auto numbers = attribute_numbers(object, name))
    return {numbers->begin(), numbers->end()};
  const auto attribute = open_attribute(object, name);
  auto type = attribute ? complex_type_of(attribute->type) : std::nullopt;
  if (!type) return {};
  type->part = ElementType::float64;
  std::vector<std::complex<double>> values(attribute->values);
  if (!read_attribute(attribute->id, memory_type(*type, -1), values.data())) return {};
  return values;
}

std::optional<double> attribute_number(hid_t object, const std::string& name) {
  const auto values = attribute_numbers(object, name);
  if (!values) return std::nullopt;
  return values->front();
}

std::vector<std::string> attribute_texts(hid_t object, const std::string& name) {
  const auto attribute = open_attribute(object, name);
  if (!attribute || H5Tget_class(attribute->type) != H5T_STRING) return {};
  return H5Tis_variable_str(attribute->type) > 0 ? read_variable_texts(*attribute)
                                                 : read_fixed_texts(*attribute);
}

std::string attribute_text(hid_t object, const std::string& name) {
  const std::vector<std::string> texts = attribute_texts(object, name);
  return texts.empty() ? "" : texts.front();
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, collect, &names) < 0)
    throw_lookup(object, "cannot list its attributes");
  return names;
}

void write_attribute(hid_t object, const std::string& name, double value) {
  write_value(object, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, Index value) {
  write_value(object, name, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const char* text = value.c_str();
  write_value(object, name, type, &text);
}

}  // namespace stencil::storage
