#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/output_spec.hpp"
#include "io/write/packed_store.hpp"
#include "io/write/readback.hpp"

namespace stencil::storage {

/// Rank 0 writes the packed chunks of all ranks into the file, consecutively in the order of their
/// numbers, so that the bytes of the file do not depend on the number of ranks. Collective.
///
/// @param file   the file under construction, open
/// @param name   of it, for messages
/// @param packed chunks of this rank
/// @param own    their records, in the order of block numbers
/// @throws Error on every rank: a chunk could not be read from its store or written
void write_packed(const Communicator& communicator, int file, const std::string& name,
                  const OutputSpec& spec, const PackedStore& packed,
                  const std::vector<Written>& own);

}  // namespace stencil::storage
