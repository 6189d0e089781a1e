#pragma once

namespace stencil::bench {

/// `stencil_bench apply [threads=1]`: the time that apply() takes in addition to the sums.
///
/// For some masks, shapes and types it prints the microseconds of a call, those of the sums alone
/// (the kernels, on fields whose ghosts are valid), their difference and their ratio. Each is the
/// minimum over rounds in which both are measured in turn.
///
/// @returns exit status
int time_apply(int argc, char** argv);

}  // namespace stencil::bench
