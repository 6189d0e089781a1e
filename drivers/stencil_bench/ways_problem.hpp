#pragma once

#include <nlohmann/json.hpp>

#include "drivers/pipeline/stage.hpp"

namespace stencil::bench {

using Json = nlohmann::ordered_json;

/// Returns the stage of a problem in the format of time_ways() (drivers/stencil_bench/ways.hpp).
/// The method of the stage is `auto`.
///
/// @throws WordsError  there is no such mask
Stage stage_of(const Json& problem);

}  // namespace stencil::bench
