#pragma once

namespace stencil::bench {

/// Registers cases of three masks of one axis, along batch, y and x, that are summed in one pass
/// over the points: `cpu/volume/three_lines/17/f32`.
void register_lines();

}  // namespace stencil::bench
