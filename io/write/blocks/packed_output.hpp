#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/ordered_chunks.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/packed_store.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// Rank 0 writes the packed chunks of all ranks into the file, consecutively in the order of their
/// numbers, so that the bytes of the file do not depend on the number of ranks, and closes it.
/// Collective.
///
/// @param target on rank 0: the file under construction; the first chunks may be in it already
/// @param name   the name of the file, for messages
/// @param packed chunks of this rank
/// @param own    their records, in the order of block numbers
/// @throws Error on every rank: a chunk could not be read from its store or written
void write_packed(const Communicator& communicator, PackedTarget* target, const std::string& name,
                  const BlockGrid& grid, const PackedStore& packed,
                  const std::vector<Written>& own);

}  // namespace stencil::storage
