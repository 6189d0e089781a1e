#include "io/read/missing_points.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil {

void check_missing(const MissingPoints& missing, const DatasetFacts& facts) {
  storage::visit_element(facts.number_type(), [&](auto example) {
    for (const ElementValue& value : missing.values)
      if (!value.holds<decltype(example)>())
        throw WordsError(fmt::format(
            "missing.value = {} cannot occur in {}, whose points are {}: write a number "
            "of that type, auto, or none",
            to_string(value), storage::qualified_name(facts.file, facts.dataset),
            to_string(facts.number_type())));
  });
}

}  // namespace stencil
