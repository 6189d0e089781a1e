#include "drivers/job/prepare/check_stretch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "drivers/job/prepare/memory_fit.hpp"
#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/describe/plan_text.hpp"
#include "drivers/plan/predict/device_costs.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "framework/device/device_facts.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {
namespace {

/// Measures the speeds of copying and of multiply-adds of the threads of all ranks, or of all GPUs.
/// All ranks measure at the same time, because they also compute at the same time in the run.
/// Returns the sums of the speeds; std::nullopt if a rank has no memory for the measurement.
std::optional<Limits> limits_of(const Session& session, const Plan& plan,
                                const DeviceShare& device) {
  const Communicator& communicator = session.communicator();
  const Executor& executor = session.executor();
  Limits limits;
  communicator.barrier();
  try {
    communicator.agree([&] {
      if (device.rank_on_device > 0) return;  // one rank measures for all ranks that share a GPU
      limits = plan.chain.precision == Precision::float64 ? measure_limits<double>(executor)
                                                          : measure_limits<float>(executor);
    });
  } catch (const Error& error) {  // thrown on all ranks
    if (!error.lacks_memory()) throw;
    return std::nullopt;
  }
  limits.copy_bytes_per_second = communicator.sum(limits.copy_bytes_per_second);
  limits.multiply_adds_per_second = communicator.sum(limits.multiply_adds_per_second);
  return limits;
}

Limits larger(const Limits& one, const Limits& other) {
  return {std::max(one.copy_bytes_per_second, other.copy_bytes_per_second),
          std::max(one.multiply_adds_per_second, other.multiply_adds_per_second)};
}

}  // namespace

void check_stretch(const Session& session, const PlannedStretch& stretch, Listener& listener) {
  const Plan& plan = stretch.plan;
  Measured measured;
  measured.limits = limits_of(session, plan, stretch.device);
  measured.prediction = predict(session, plan, stretch.cost, plan.is_in_windows());
  // If other processes kept the cores busy, the measured limits are too low. This is detected if
  // the prediction is faster than these limits allow. All ranks have the same numbers.
  if (measured.limits && measured.prediction &&
      limit_seconds(plan, *measured.limits) > measured.prediction->seconds())
    if (const auto again = limits_of(session, plan, stretch.device))
      measured.limits = larger(*measured.limits, *again);
  measured.storage = predict_storage(session, plan, stretch.cost);
  if (!session.executor().is_host())
    measured.device_bytes =
        session.communicator().maximum(own_device_bytes(session, plan, plan.way()));
  session.communicator().agree([&] {
    if (session.rank() != 0) return;
    measured.gpus = gpu_facts();
    const Description description = describe(plan, stretch.device_facts, measured);
    listener.planned({plan_text(description), json_text(description, -1)});
    check_output(plan.output);
  });
}

}  // namespace stencil
