#pragma once

#include <string>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/block_writer.hpp"

namespace stencil::storage {

/// Checks that every block was written exactly once. Collective.
///
/// @param blocks  number of blocks of the whole output
/// @param name    name of the file
/// @throws UsageError  on all ranks
void require_all_written(const Communicator& communicator, const BlockWriter& writer, Index blocks,
                         const std::string& name);

}  // namespace stencil::storage
