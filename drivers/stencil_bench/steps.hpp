#pragma once

namespace stencil::bench {

/// Registers the cases of repeated steps: `cpu/steps/5pt/f32` on 8192 x 8192 points and
/// `cpu/steps/9pt/f32` on 4096 x 4096 points, `cpu/volume_steps/star7/f32` and stars of 13 and 25
/// points on 256 x 256 x 256 points, 100 steps each, and the same for f64. The cases compute as
/// many steps per sweep as a run would; only `star7_single` computes one step per sweep. Points are
/// counted once per step. `share` is relative to the limit of a sweep of one step, so it may exceed
/// 1; `fma share` is relative to the multiply-add rate.
void register_steps();

}  // namespace stencil::bench
