#include "drivers/job/prepare/memory_fit.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "drivers/job/resume/resume_windows.hpp"
#include "drivers/plan/predict/device_costs.hpp"
#include "drivers/plan/split/memory_available.hpp"
#include "drivers/plan/split/passes.hpp"
#include "drivers/plan/split/windows.hpp"
#include "framework/device/executor.hpp"

namespace stencil {
namespace {

void require_host_memory(const Session& session, const Config& config, const Plan& plan) {
  session.communicator().agree([&] {
    const Index available = memory_available(config.run.memory, session.node().ranks);
    if (plan.memory_per_rank() <= available) return;
    const bool is_asked = config.run.memory > 0;
    // with transforms, windows must consist of whole blocks or tiles
    const bool transforms =
        !plan.watching.needs_world() &&
        std::any_of(plan.chain.stages.begin(), plan.chain.stages.end(),
                    [](const BoundStage& stage) { return stage.choice.method == Method::fft; });
    throw MachineError(fmt::format(
        "the run needs {} bytes of memory per rank{}, but {} {} bytes: use more ranks{}{}",
        least_memory(plan), plan.watching.needs_world() ? " for the world at once" : "",
        is_asked ? "run.memory allows"
                 : "a rank's share of this node, within the limits of the job and of ulimit -v, is",
        available, is_asked ? ", or raise run.memory" : " on more nodes, or a smaller input",
        transforms ? ", or method = direct instead of fft, which needs less" : ""));
  });
}

/// Computes the GPU memory in bytes that a rank needs.
struct DeviceBytes {
  const Problem& problem;
  const int rank;

  Index operator()(const AtOnce&) const { return device_bytes(problem, rank); }
  Index operator()(const Windows& windows) const { return windows.device_bytes; }
  Index operator()(const Passes& passes) const {
    Index most = 0;
    for (const Pass& pass : passes) most = std::max(most, pass.windows.device_bytes);
    return most;
  }
};

/// Returns the memory available for windows on the rank and on the GPU with the least memory.
/// Collective.
WindowLimits limits_of(const Session& session, const Config& config, const DeviceShare& device,
                       const Problem& problem) {
  const Communicator& communicator = session.communicator();
  const Index needed =
      sum_on_device(communicator, device, own_device_bytes(session, problem, AtOnce{}));
  WindowLimits limits;
  communicator.agree([&] {
    limits.available = memory_available(config.run.memory, session.node().ranks);
    if (const auto free = session.executor().device_memory()) {
      limits.device = *free / std::ssize(device.ranks);
      limits.fits_device = needed <= *free;
    }
  });
  limits.available = -communicator.maximum(-limits.available);
  limits.device = -communicator.maximum(-limits.device);
  limits.fits_device = communicator.maximum(Index{!limits.fits_device}) == 0;
  limits.threads = static_cast<int>(communicator.maximum(Index{omp_get_max_threads()}));
  limits.is_asked = config.run.memory > 0;
  limits.wants_blocks = !config.run.decomposition.empty();
  limits.binds_threads = omp_get_proc_bind() != omp_proc_bind_false;
  return limits;
}

/// Throws if the memory of a GPU is too small for the ranks that share it.
void require_device_memory(const Session& session, const Plan& plan, const DeviceShare& device) {
  const Index needed =
      sum_on_device(session.communicator(), device, own_device_bytes(session, plan, plan.way()));
  session.communicator().agree([&] {
    if (const auto free = session.executor().device_memory())
      require_free(needed, *free, device.ranks.size());
  });
}

}  // namespace

Index own_device_bytes(const Session& session, const Problem& problem, const RunWay& way) {
  Index own = 0;
  session.communicator().agree([&] {
    if (session.executor().is_host()) return;
    own = std::visit(DeviceBytes{problem, session.rank()}, way);
  });
  return own;
}

Plan choose_way(const Session& session, const Config& config, const DeviceShare& device,
                Problem problem, Start start) {
  const Communicator& communicator = session.communicator();
  const WindowLimits limits = limits_of(session, config, device, problem);
  RunWay way;
  communicator.agree([&] {
    const auto* unfinished = std::get_if<Unfinished>(&start);
    const auto windows = unfinished != nullptr ? choose_needed_windows(problem, limits)
                                               : choose_windows(problem, limits);
    if (windows)
      way = *windows;
    else if (problem.memory_at_once > limits.available || !limits.fits_device)
      if (Passes passes = choose_passes(problem, limits); !passes.empty()) way = std::move(passes);
    if (unfinished != nullptr && !can_go_on(way, *unfinished->output)) start = Fresh{};
  });
  return Plan(std::move(problem), std::move(way), std::move(start));
}

void require_memory(const Session& session, const Config& config, const DeviceShare& device,
                    const Plan& plan) {
  require_host_memory(session, config, plan);
  require_device_memory(session, plan, device);
}

}  // namespace stencil
