#include "kernels/cpu/limits.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

using Clock = std::chrono::steady_clock;

/// Average seconds of one of `repeats` calls, after one call that is not measured. An average is
/// used so that ranks which share cores also share their rate.
template <class Work>
double seconds_of(int repeats, const Work& work) {
  work();
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) work();
  return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
}

/// Number of multiply-adds that all threads together do in the given seconds. The time is given
/// rather than the number because a processor without fused multiply-adds is hundreds of times
/// slower.
template <class T>
double multiply_adds_for(int threads, double seconds) {
  const auto& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  constexpr Index rounds = 1000;
  Index calls = 0;
  T used = 0;
#pragma omp parallel num_threads(threads) reduction(+ : used, calls)
  {
    const auto start = Clock::now();
    for (; std::chrono::duration<double>(Clock::now() - start).count() < seconds; ++calls)
      used += kernels.multiply_adds(rounds, T(0.999));
  }
  volatile T sink = used;  // keeps the sums from being optimised away
  (void)sink;
  return double(calls) * rounds * double(kernels.adds_per_round);
}

}  // namespace

void streaming_copy(const void* source, void* target, long bytes) {
  const auto& kernels = cpu::row_kernels<double>(cpu::vector_extension());
  constexpr long piece = 1L << 15;  // doubles
  const long n = bytes / long{sizeof(double)};
#pragma omp parallel for schedule(static)
  for (long at = 0; at < n; at += piece)
    kernels.copy_aligned(static_cast<const double*>(source) + at, static_cast<double*>(target) + at,
                         std::min(piece, n - at));
}

template <class T>
CpuLimits measure_cpu_limits() {
  CpuLimits limits;
  constexpr long bytes = 64L << 20;
  const cpu::Scratch<char> source(1, bytes), target(1, bytes);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < bytes; ++i) source.of_thread(0)[i] = static_cast<char>(i);
  limits.copy_bytes_per_second = 2.0 * bytes / seconds_of(4, [&] {
                                   streaming_copy(source.of_thread(0), target.of_thread(0), bytes);
                                 });

  limits.multiply_adds_per_second = measure_multiply_adds<T>();
  return limits;
}

template <class T>
double measure_multiply_adds() {
  const int threads = omp_get_max_threads();
  multiply_adds_for<T>(threads, 0.005);  // wakes the threads
  return multiply_adds_for<T>(threads, 0.03) / 0.03;
}

template double measure_multiply_adds<float>();
template double measure_multiply_adds<double>();

template CpuLimits measure_cpu_limits<float>();
template CpuLimits measure_cpu_limits<double>();

}  // namespace stencil
