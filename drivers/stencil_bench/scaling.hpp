#pragma once

namespace stencil::bench {

/// `mpirun -n 4 stencil_bench scaling [side=16384] [steps=100] [per_sweep=auto] [backend=auto]
/// [transport=auto] [type=float32] [mask='0 0.1 0; 0.2 0.4 0.15; 0 0.1 0'] [sigma=4]
/// [scaling=weak]`: measures the scaling of time steps, with at most `per_sweep` steps per halo
/// exchange.
///
/// Every rank advances `side` x `side` points of a periodic grid (`scaling=strong`: its share of
/// `side` x `side` points in total) with a mask: taps or `file:/dataset` as in a configuration
/// (default: 5 points), or `gaussian` with 8 `sigma` + 1 taps along each axis. First, each rank
/// computes `side` x `side` points without messages, all ranks at the same time; then the ranks
/// compute the whole grid with halo exchange. Prints the kernel, the seconds per step of both
/// computations, the ratio of their rates in points per second and rank, and the transport and size
/// of the halos. Times are medians of five alternating rounds.
///
/// @returns exit status
int measure_scaling(int argc, char** argv);

}  // namespace stencil::bench
