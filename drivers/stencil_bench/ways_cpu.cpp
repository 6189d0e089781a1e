#include "drivers/stencil_bench/ways_cpu.hpp"

#include <omp.h>

#include <ctime>

#include "framework/device/cpu/cpu_executor.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil::bench {
namespace {

double seconds_now() {
  timespec now{};
  ::clock_gettime(omp_get_max_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double seconds_of(const std::function<void()>& work) {
  const double start = seconds_now();
  work();
  return seconds_now() - start;
}

template <class T>
double adds_in_registers() {
  constexpr Index rounds = 100'000;
  const auto& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  volatile T sink = 0;
  const double seconds = seconds_of([&] { sink = kernels.multiply_adds(rounds, T(0.999)); });
  return double(rounds) * double(kernels.adds_per_round) / seconds;
}

template <class T>
void fill_points(const FieldView<T>& view) {
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) = T(((b * 7919 + y) * 104729 + x * 40503) % 65536) / T(65536) - T(0.5);
}

class CpuWays : public WaysDevice {
 public:
  Executor& executor() override { return executor_; }
  double compute_seconds(const std::function<void()>& order) override { return seconds_of(order); }
  double setup_seconds(const std::function<void()>& work) override { return seconds_of(work); }
  double adds_per_second(Index element) override {
    return element == 8 ? adds_in_registers<double>() : adds_in_registers<float>();
  }
  void fill(const FieldView<float>& view) override { fill_points(view); }
  void fill(const FieldView<double>& view) override { fill_points(view); }

 private:
  CpuExecutor executor_;
};

}  // namespace

std::unique_ptr<WaysDevice> ways_on_cpu() {
  return std::make_unique<CpuWays>();
}

}  // namespace stencil::bench
