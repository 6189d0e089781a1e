#include "kernels/cpu/limits.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "framework/device/cpu/cpu_executor.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns the average time of a call in seconds. One call is made before the measurement, then at
/// most four calls, or fewer if they take more than 10 ms. An average is used because ranks that
/// share cores also share the rate.
template <class Work>
double seconds_of(const Work& work) {
  work();
  const auto start = Clock::now();
  int calls = 0;
  double seconds = 0;
  while (calls < 4 && seconds < 0.01) {
    work();
    ++calls;
    seconds = seconds_since(start);
  }
  return seconds / calls;
}

/// Returns the number of multiply-adds that all threads together execute in the given time. The
/// time is fixed rather than the number, because processors without fused multiply-adds are
/// hundreds of times slower.
template <class T>
double multiply_adds_for(int threads, double seconds) {
  const auto& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  constexpr Index rounds = 1000;
  Index calls = 0;
  T used = 0;
#pragma omp parallel num_threads(threads) reduction(+ : used, calls)
  {
    const auto start = Clock::now();
    for (; seconds_since(start) < seconds; ++calls) used += kernels.multiply_adds(rounds, T(0.999));
  }
  volatile T sink = used;  // prevents the compiler from removing the sums
  (void)sink;
  return double(calls) * rounds * double(kernels.adds_per_round);
}

}  // namespace

void streaming_copy(const void* source, void* target, long bytes) {
  const auto& kernels = cpu::row_kernels<double>(cpu::vector_extension());
  constexpr long piece = 1L << 15;  // number of doubles of one copy
  const long n = bytes / long{sizeof(double)};
#pragma omp parallel for schedule(static)
  for (long at = 0; at < n; at += piece)
    kernels.copy_aligned(static_cast<const double*>(source) + at, static_cast<double*>(target) + at,
                         std::min(piece, n - at));
}

template <class T>
CpuLimits measure_cpu_limits() {
  CpuLimits limits;
  constexpr long bytes = 64L << 20, piece = 1L << 20;
  CpuExecutor host;  // its memory is in huge pages, which are quicker to obtain
  const Memory source = host.allocate(bytes), target = host.allocate(bytes);
#pragma omp parallel for schedule(static)
  for (long at = 0; at < bytes; at += piece) std::memset(source.get() + at, 1, piece);
  limits.copy_bytes_per_second =
      2.0 * bytes / seconds_of([&] { streaming_copy(source.get(), target.get(), bytes); });

  limits.multiply_adds_per_second = measure_multiply_adds<T>();
  return limits;
}

template <class T>
double measure_multiply_adds() {
  const int threads = omp_get_max_threads();
  multiply_adds_for<T>(threads, 0.005);  // wakes the threads
  constexpr double seconds = 0.01;
  return multiply_adds_for<T>(threads, seconds) / seconds;
}

template double measure_multiply_adds<float>();
template double measure_multiply_adds<double>();

template CpuLimits measure_cpu_limits<float>();
template CpuLimits measure_cpu_limits<double>();

}  // namespace stencil
