// One step of the Gray-Scott reaction and diffusion, for the host's threads and for a GPU.
#pragma once

#include <stencil/stencil.hpp>

#ifdef __CUDACC__
#define HOST_AND_DEVICE __host__ __device__
#else
#define HOST_AND_DEVICE
#endif

/// Returns the five-point Laplacian (grid spacing 1) at `at`. Rows are `pitch` elements apart.
HOST_AND_DEVICE inline double laplacian(const double* at, stencil::Index pitch) {
  return (at[-pitch] + at[pitch]) + (at[-1] + at[1]) - 4 * at[0];
}

/// Euler step of du/dt = Du lap u - u v^2 + f (1 - u), dv/dt = Dv lap v + u v^2 - (f + k) v,
/// with dt = 1 (J. E. Pearson, Complex Patterns in a Simple System, Science 261, 1993).
HOST_AND_DEVICE inline void react(const double* u, const double* v, stencil::Index pitch,
                                  double* next_u, double* next_v) {
  constexpr double diffusion_u = 0.16, diffusion_v = 0.08, feed = 0.037, kill = 0.06;
  const double reaction = *u * *v * *v;
  *next_u = *u + (diffusion_u * laplacian(u, pitch) - reaction + feed * (1 - *u));
  *next_v = *v + (diffusion_v * laplacian(v, pitch) + reaction - (feed + kill) * *v);
}

/// Computes the owned points of the next fields. The ghost points of u and v must be valid, and all
/// four fields must have the same subdomain.
using Update = void(stencil::Executor&, const stencil::Field<double>& u,
                    const stencil::Field<double>& v, stencil::Field<double>& next_u,
                    stencil::Field<double>& next_v);
Update update_on_host;
Update update_on_gpu;  ///< in builds with CUDA; returns when the kernel is queued
