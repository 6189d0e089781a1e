#include "io/read/fill_value.hpp"

#include <fmt/core.h>

#include <cstring>

#include "framework/grid/error.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil::storage {
namespace {

/// Returns the value of both parts of a complex fill value.
template <class Part>
Part fill_of_parts(hid_t creation, const DatasetFacts& facts, const std::string& what) {
  ComplexType type;
  type.part = facts.type;
  type.real = facts.part_names[0];
  type.imaginary = facts.part_names[1];
  Part parts[2]{};
  checked(H5Pget_fill_value(creation, memory_type(type, -1), parts), what);
  if (std::memcmp(&parts[0], &parts[1], sizeof(Part)) != 0)
    throw StorageError(fmt::format(
        "{}: points that were never written have the fill value {} + {}j, and only fill values "
        "with two equal parts are read: write these points",
        qualified_name(facts.file, facts.dataset), +parts[0], +parts[1]));
  return parts[0];
}

}  // namespace

ElementValue fill_value_of(hid_t creation, const DatasetFacts& facts) {
  const std::string what =
      qualified_name(facts.file, facts.dataset) + ": cannot read its fill value";
  return visit_element(facts.type, [&](auto value) -> ElementValue {
    if (facts.is_complex()) return fill_of_parts<decltype(value)>(creation, facts, what);
    checked(H5Pget_fill_value(creation, native_type(facts.type), &value), what);
    return value;
  });
}

}  // namespace stencil::storage
