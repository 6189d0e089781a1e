#pragma once

namespace stencil::bench {

/// `mpirun -n 4 stencil_bench scaling [side=16384] [steps=100] [per_sweep=auto] [backend=auto]
/// [transport=auto] [type=float32] [mask='0 0.1 0; 0.2 0.4 0.15; 0 0.1 0'] [sigma=4]`: weak scaling
/// of time steps, one sweep per exchange of at most `per_sweep` steps.
///
/// Every rank advances `side` x `side` points of a periodic grid with a mask: taps or
/// `file:/dataset` as in a configuration, 5-point unless told, or `gaussian`, of 8 `sigma` + 1 taps
/// along each axis. First alone, all ranks at the same time without messages, then together. Prints
/// the kernel, the seconds of a step, the ratio of the two, and what travels how. Medians of five
/// rounds in turn.
///
/// @returns exit status
int weak_scaling(int argc, char** argv);

}  // namespace stencil::bench
