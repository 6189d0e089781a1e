#pragma once

namespace stencil::bench {

/// `stencil_bench apply [threads=1]`: what apply() takes beside the sums.
///
/// For some masks, shapes and types it prints the microseconds of a call, those of the sums alone
/// (the kernels, on fields whose ghosts are valid), their difference and their ratio. The least of
/// rounds in which both take turns.
///
/// @returns exit status
int time_apply(int argc, char** argv);

}  // namespace stencil::bench
