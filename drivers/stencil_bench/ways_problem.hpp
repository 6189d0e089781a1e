#pragma once

#include <nlohmann/json.hpp>

#include "drivers/pipeline/stage.hpp"

namespace stencil::bench {

using Json = nlohmann::ordered_json;

/// The stage of a problem in the format of time_ways() (drivers/stencil_bench/ways.hpp); its method
/// is `auto`.
///
/// @throws WordsError  no such mask
Stage stage_of(const Json& problem);

}  // namespace stencil::bench
