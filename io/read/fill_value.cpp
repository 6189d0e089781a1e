#include "io/read/fill_value.hpp"

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil::storage {

ElementValue fill_value_of(hid_t creation, const DatasetFacts& facts) {
  return visit_element(facts.type, [&](auto value) -> ElementValue {
    checked(H5Pget_fill_value(creation, native_type(facts.type), &value),
            qualified_name(facts.file, facts.dataset) + ": cannot read its fill value");
    return value;
  });
}

}  // namespace stencil::storage
