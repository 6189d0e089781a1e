#include "drivers/pipeline/apply_on_gpu.hpp"

#include <fmt/core.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "drivers/pipeline/array_checks.hpp"
#include "drivers/pipeline/array_plan.hpp"
#include "drivers/pipeline/device_filter.hpp"
#include "drivers/pipeline/plan_cache.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

using GpuPlan = std::variant<DeviceFilter<float>, DeviceFilter<double>>;

/// The executor of one device, with the plans that are bound to it.
struct Gpu {
  std::mutex busy;  ///< held while a call queues its work
  std::unique_ptr<Executor> executor;
  PlanCache<GpuPlan> plans;
};

/// Returns the state of a device, whose executor may not exist yet. The state is never destroyed,
/// because CUDA may end before the static objects of a program.
Gpu& gpu_of(int device) {
  static std::mutex mutex;
  static auto* const all = new std::map<int, Gpu>;
  const std::lock_guard lock(mutex);
  return (*all)[device];
}

std::unique_ptr<Executor> executor_of(int device) {
  if (has_gpu_kernels() && gpu_facts().empty()) {
    const std::string trouble = gpu_trouble();
    throw MachineError(fmt::format("the GPU cannot be used: {}: copy the array to the host",
                                   trouble.empty() ? "this process sees no GPU" : trouble));
  }
  return make_executor(Backend::cuda, device);
}

std::shared_ptr<const GpuPlan> plan_of(Gpu& gpu, const Stage& stage, const Point& shape,
                                       Precision precision) {
  std::string key = plan_key({stage}, shape, precision);
  if (std::shared_ptr<const GpuPlan> found = gpu.plans.find(key)) return found;
  if (stage.mask.rank == 3)  // batches are filtered in pieces
    throw UsageError("a mask of three axes on an array on a GPU: copy the array to the host");
  Chain chain = make_chain({stage}, shape, precision, Backend::cuda);
  if (chain.output_shape() != shape)
    throw UsageError("a stage on a GPU has to keep the shape of the array");
  std::shared_ptr<const GpuPlan> plan;
  if (precision == Precision::float64)
    plan = std::make_shared<const GpuPlan>(std::in_place_type<DeviceFilter<double>>, *gpu.executor,
                                           std::move(chain));
  else
    plan = std::make_shared<const GpuPlan>(std::in_place_type<DeviceFilter<float>>, *gpu.executor,
                                           std::move(chain));
  gpu.plans.keep(std::move(key), plan);
  return plan;
}

bool is_same(const AnyInput& input, const AnyOutput& output) {
  return input.data == output.data && input.strides == output.strides;
}

void require_alike(const AnyInput& input, const AnyOutput& output) {
  if (!(input.shape == output.shape) || input.element != output.element)
    throw UsageError(
        fmt::format("the output of {} on a GPU differs from the input of {} in shape "
                    "or type",
                    to_string(output.shape), to_string(input.shape)));
  if (is_integer(input.element))
    throw UsageError("integers on a GPU: convert the array to float32 or float64");
}

/// Queues a copy of an array to another array of the same shape.
void copy_array(Executor& executor, const AnyInput& from, const AnyOutput& to) {
  const Index size = size_of(from.element);
  const AxisRoles roles = roles_of(from.shape.size(), {}, "input");
  const int last = roles.x, above = roles.y;
  Index outer = 1;
  for (const Index axis : roles.batch) outer *= from.shape[int(axis)];
  const Point extent{1, above < 0 ? 1 : from.shape[above], from.shape[last]};
  const FoldedArray<const std::byte> source = fold(from, roles);
  const FoldedArray<std::byte> target = fold(to, roles);
  for (Index b = 0; b < outer; ++b)
    executor.copy({source.row(b, 0), extent, {0, source.y_stride, source.x_stride}},
                  {target.row(b, 0), extent, {0, target.y_stride, target.x_stride}},
                  std::size_t(size));
}

void run_on(Executor& executor, const GpuPlan& plan, const AnyInput& input, const AnyOutput& output,
            const AxisRoles& roles) {
  AnyInput source = input;
  Memory copy;
  const bool shares_memory = overlap(input, output);
  if (shares_memory && !is_same(input, output)) {
    copy = executor.allocate_temporary(std::size_t(points(input.shape) * size_of(input.element)));
    source.data = copy.get();
    source.strides = row_major_strides(input.shape, size_of(input.element));
    copy_array(executor, input, {copy.get(), input.element, input.shape, source.strides});
  }
  std::visit(
      [&](const auto& filter) {
        for_each_outer(source, roles, output, roles, [&](const auto& from, const auto& to) {
          filter.run(from, to, shares_memory && !copy);
        });
      },
      plan);
}

}  // namespace

bool has_gpu_kernels() {
#ifdef STENCIL_HAS_CUDA
  return true;
#else
  return false;
#endif
}

void apply_on_gpu(const Stage& stage, const AnyInput& input, const AnyOutput& output,
                  const GpuCall& call) {
  require_sound(input, "input");
  require_sound(output, "output");
  require_distinct_points(output);
  require_alike(input, output);
  const AxisRoles roles = roles_of(input.shape.size(), call.axes, "input");
  require_one_batch_axis({stage}, input.shape, roles);
  const Precision precision =
      input.element == Element::float64 ? Precision::float64 : Precision::float32;
  Gpu& gpu = gpu_of(call.device);
  const std::lock_guard lock(gpu.busy);
  if (!gpu.executor) gpu.executor = executor_of(call.device);
  Executor& executor = *gpu.executor;
  executor.enter_thread();
  const std::shared_ptr<const GpuPlan> plan =
      plan_of(gpu, stage, folded_shape(input.shape, roles), precision);
  executor.order_after(call.stream);
  try {
    run_on(executor, *plan, input, output, roles);
  } catch (...) {  // work that was queued before the error still uses the arrays
    executor.order_before(call.stream);
    throw;
  }
  executor.order_before(call.stream);
}

void wait_for_gpu(int device) {
  Gpu& gpu = gpu_of(device);
  const std::lock_guard lock(gpu.busy);
  if (!gpu.executor) return;
  gpu.executor->enter_thread();
  gpu.executor->synchronize();
}

}  // namespace stencil
