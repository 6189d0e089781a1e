#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/ordered_chunks.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/packed_store.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// Collects the packed chunks of all ranks on rank 0, which writes them consecutively to the file,
/// in the order of their numbers, and closes the file. The bytes of the file therefore do not
/// depend on the number of ranks. Collective.
///
/// @param target on rank 0: the file under construction; it may already contain the first chunks
/// @param name   name of the file, for messages
/// @param packed chunks of this rank
/// @param own    records of these chunks, in the order of block numbers
/// @throws Error on every rank: a chunk could not be read from its store or could not be written
void write_packed(const Communicator& communicator, PackedTarget* target, const std::string& name,
                  const BlockGrid& grid, const PackedStore& packed,
                  const std::vector<Written>& own);

}  // namespace stencil::storage
