#include "io/read/inspect.hpp"

#include <fmt/core.h>

#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/packed_numbers.hpp"
#include "io/read/file_check.hpp"
#include "io/read/missing_attributes.hpp"
#include "io/read/named_axes.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/read/storage_check.hpp"
#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

constexpr int most_nested = 4;  // greatest depth of virtual datasets with virtual sources

std::vector<Index> dims_of(hid_t dataset, const std::string& where) {
  const Handle space = owned(H5Dget_space(dataset), H5Sclose, where + ": cannot read its shape");
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind != H5S_SIMPLE)
    throw WordsError(
        fmt::format("{} is {}: name a dataset with at least one axis", where,
                    kind == H5S_SCALAR ? "a single value" : "empty (a null dataspace)"));
  std::vector<hsize_t> dims(static_cast<std::size_t>(
      checked(H5Sget_simple_extent_ndims(space), where + ": cannot read its shape")));
  checked(H5Sget_simple_extent_dims(space, dims.data(), nullptr),
          where + ": cannot read its shape");
  std::vector<Index> result;
  for (const hsize_t extent : dims) {
    if (extent == 0)
      throw WordsError(
          fmt::format("{} has an axis without points: there is nothing to compute", where));
    if (extent > static_cast<hsize_t>(std::numeric_limits<Index>::max()))
      throw StorageError(
          fmt::format("{} has an axis of {} points: the file is malformed", where, extent));
    result.push_back(static_cast<Index>(extent));
  }
  return result;
}

const char* word_for(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "compound elements other than complex numbers (two members of the same type, float32 "
             "or float64)";
    case H5T_ENUM:
      return "an enumeration other than booleans (FALSE = 0, TRUE = 1)";
    case H5T_VLEN:
      return "lists of varying length";
    case H5T_REFERENCE:
      return "references";
    case H5T_ARRAY:
      return "array elements";
    case H5T_FLOAT:
      if (H5Tget_size(type) <= 8)
        return "floating-point numbers in a format that is none of IEEE 754's (exponent bias, "
               "fields, leading bit or precision)";
      return "numbers wider than 64 bits";
    case H5T_INTEGER:
      if (H5Tget_size(type) <= 8)
        return "integers whose byte order, precision or offset is none that integers have";
      return "numbers wider than 64 bits";
    default:
      return "opaque elements";
  }
}

void find_type(hid_t dataset, const std::string& where, DatasetFacts& facts) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, where + ": cannot read its type");
  if (const auto numbers = complex_type_of(type)) {
    facts.type = numbers->part;
    facts.part_names = {numbers->real, numbers->imaginary};
    return;
  }
  const auto element = element_type_of(type);
  if (!element)
    throw WordsError(
        fmt::format("{} holds {}: only datasets of booleans, int8 to int64, uint8 to uint64, "
                    "float16, bfloat16, float32, float64, complex64 and complex128 are read",
                    where, word_for(type)));
  facts.type = *element;
}

/// Rejects shapes whose size in bytes overflows 64 bits; in HDF5, 2^32 x 2^32 overflows to 0.
void check_size(const DatasetFacts& facts, const std::string& where) {
  Index bytes = facts.point_bytes();
  for (const Index extent : facts.dims)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw StorageError(fmt::format(
          "{} claims a shape of more bytes than fit into 64 bits: the file is malformed", where));
}

void check_complete(hid_t root, const std::string& where) {
  if (const auto complete = attribute_number(root, "stencil_complete"); complete && *complete == 0)
    throw StorageError(
        fmt::format("{} is marked stencil_complete = 0: its writer was stopped, run the program "
                    "that wrote it again",
                    where));
}

/// Attributes that define the meaning of the numbers: `units K, scale_factor 0.01`.
std::string meaning_of(hid_t dataset) {
  std::string meaning;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      meaning += fmt::format("{}{} {}", meaning.empty() ? "" : ", ", name, shortened(value));
  };
  add("units", attribute_text(dataset, "units"));
  for (const char* name : {"scale_factor", "add_offset"})
    if (const auto values = attribute_values(dataset, name); !values.empty())
      add(name, to_string(values.front()));
  add("_Unsigned", attribute_text(dataset, "_Unsigned"));
  return meaning;
}

DatasetFacts inspect_nested(const std::string& file_name, const std::string& dataset_name,
                            bool is_part) {
  DatasetFacts facts;
  facts.file = file_name;
  facts.dataset = dataset_name;
  const std::string where = qualified_name(file_name, dataset_name);
  const FileState state = file_state(file_name);
  facts.file_bytes = state.bytes;
  facts.modified = state.modified;
  check_signature(file_name, state.bytes);
  const Handle file = open_for_reading(file_name);
  const DatasetPath path = open_dataset(file, file_name, dataset_name);
  facts.dims = dims_of(path.dataset, where);
  find_type(path.dataset, where, facts);
  check_size(facts, where);
  check_complete(path.groups.front(), where);
  check_storage(path.dataset, facts, inspect);
  find_sampling_rate(path, facts);
  find_axis_names(path, facts);
  const PackedNumbers packing = packed_numbers_of(path.dataset);
  facts.is_packed = packing.is_packed;
  facts.scale_factor = packing.scale_factor;
  facts.add_offset = packing.add_offset;
  facts.has_other_sign = packing.has_other_sign;
  find_missing_values(path, facts);
  if (is_part) {
    facts.times = find_times(path, facts);
    facts.meaning = meaning_of(path.dataset);
  }
  return facts;
}

/// Inspects a dataset. @param is_part  whether the dataset is to be joined with others
DatasetFacts inspect_level(const std::string& file, const std::string& dataset, bool is_part) {
  thread_local int nested = 0;
  struct Level {
    Level() { ++nested; }
    ~Level() { --nested; }
  } level;
  if (nested > most_nested)
    throw StorageError(
        fmt::format("{} is virtual, made of virtual datasets, {} deep: that is not "
                    "followed",
                    qualified_name(file, dataset), most_nested));
  return inspect_nested(file, dataset, is_part);
}

}  // namespace

DatasetFacts inspect(const std::string& file, const std::string& dataset) {
  return inspect_level(file, dataset, false);
}

DatasetFacts inspect_part(const std::string& file, const std::string& dataset) {
  return inspect_level(file, dataset, true);
}

}  // namespace stencil::storage
