#include "drivers/stencil_bench/ways_gpu.hpp"

#include <algorithm>
#include <chrono>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"

namespace stencil::bench {
namespace {

class GpuWays : public WaysDevice {
 public:
  Executor& executor() override { return executor_; }

  /// Returns the mean of several consecutive runs if one run is too short to be timed by events.
  double compute_seconds(const std::function<void()>& order) override {
    constexpr double long_enough = 1e-3;
    constexpr int most_runs = 20;
    const double once = seconds_of(order, 1);
    if (once > long_enough) return once;
    return seconds_of(order, std::clamp(int(long_enough / once), 3, most_runs));
  }

  double setup_seconds(const std::function<void()>& work) override {
    using Clock = std::chrono::steady_clock;
    executor_.synchronize();
    const auto start = Clock::now();
    work();
    executor_.synchronize();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  double adds_per_second(Index element) override {
    double& rate = element == 8 ? double_adds_ : float_adds_;
    if (rate == 0)
      rate =
          (element == 8 ? cuda::measure_cuda_limits<double>() : cuda::measure_cuda_limits<float>())
              .multiply_adds_per_second;
    return rate;
  }

  void fill(const FieldView<float>& view) override { cuda::fill_random(view, 7); }
  void fill(const FieldView<double>& view) override { cuda::fill_random(view, 7); }

 private:
  double seconds_of(const std::function<void()>& order, int runs) {
    return cuda::seconds_on(executor_.stream(Lane::work),
                            [&] {
                              for (int k = 0; k < runs; ++k) order();
                            }) /
           runs;
  }

  cuda::CudaExecutor executor_{0};
  double float_adds_ = 0, double_adds_ = 0;  ///< 0 if not measured yet
};

}  // namespace

std::unique_ptr<WaysDevice> ways_on_gpu() {
  return std::make_unique<GpuWays>();
}

}  // namespace stencil::bench
