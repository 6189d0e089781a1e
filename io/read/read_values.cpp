#include "io/read/read_values.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/packed_numbers.hpp"

namespace stencil {

void read_values(DatasetFacts& facts) {
  const storage::PackedNumbers packing{facts.is_packed, facts.scale_factor, facts.add_offset,
                                       facts.has_other_sign};
  if (!packing.is_sound())
    throw WordsError(fmt::format(
        "{} has scale_factor = {} and add_offset = {}, which give no values: correct these "
        "attributes, or write input.packed = stored to filter the numbers as they are stored",
        storage::qualified_name(facts.file, facts.dataset), facts.scale_factor, facts.add_offset));
  facts.reads_values = true;
  // points in gaps between files are converted like stored points
  facts.fill = storage::number_in(facts.fill, facts.number_type(), facts.type);
}

}  // namespace stencil
