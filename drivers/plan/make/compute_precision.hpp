#pragma once

#include "drivers/config/kinds.hpp"
#include "drivers/pipeline/stage.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Returns the type in which a dataset is computed. If the request is `automatic`, the type is
/// float64 for numbers that float32 cannot represent well enough, otherwise float32.
Precision precision_for(PrecisionRequest request, const DatasetFacts& input);

}  // namespace stencil
