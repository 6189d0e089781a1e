#pragma once

namespace stencil::bench {

/// `stencil_bench apply [threads=1]`: measures how much longer a call of apply() takes than the
/// sums alone.
///
/// For several masks, shapes and types, prints the time of a call in microseconds, the time of the
/// kernels alone (on fields with valid ghost points), the difference and the ratio. Each time is
/// the minimum over rounds that measure call and kernels alternately.
///
/// @returns exit status
int time_apply(int argc, char** argv);

}  // namespace stencil::bench
