#include "drivers/plan/predict/storage_prediction.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <numeric>
#include <thread>
#include <vector>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "io/read/input_dataset.hpp"
#include "io/write/output/write_speed.hpp"

namespace stencil {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index sample_bytes = Index{4} << 20;  // bytes that a thread reads at a time
constexpr Index tried_bytes = Index{128} << 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns slabs along the outermost axis that are spread over the world, in a non-sequential
/// order.
std::vector<Box> spread_slabs(const Plan& plan, int axis) {
  const Point& shape = plan.input_form.shape();
  const Index row = std::max<Index>(1, points(shape) / shape[axis] * plan.compute_bytes());
  const Index rows = std::clamp<Index>(sample_bytes / row, 1, shape[axis]);
  const Index slabs = std::min<Index>((shape[axis] - 1) / rows + 1, 64);
  std::vector<Box> boxes;
  for (Index i = 0; i < slabs; ++i) {
    const Index at = i * spreading_step(slabs) % slabs;
    const Index first = at * (shape[axis] - rows) / std::max<Index>(1, slabs - 1);
    Box box = make_box(shape);
    box.set(axis, {first, first + rows});
    boxes.push_back(box);
  }
  return boxes;
}

/// Returns the number of points per second that this rank reads.
template <class T>
double reading_speed(const Plan& plan, int axis, int rank, double seconds) {
  const InputDataset input(plan.input, plan.windows() ? plan.windows()->kept_chunk_bytes : 0);
  const std::vector<Box> boxes = spread_slabs(plan, axis);
  std::atomic<std::size_t> next{static_cast<std::size_t>(rank)};
  std::atomic<Index> read{0};
  std::atomic<bool> has_failed{false};
  const int at_a_time = plan.windows() ? plan.windows()->at_a_time : 1;
  const int threads = plan.windows() ? plan.windows()->threads : omp_get_max_threads();
  std::vector<Memory> memory;
  for (int i = 0; i < at_a_time; ++i)
    memory.push_back(CpuExecutor().allocate(
        static_cast<std::size_t>(points(boxes.front().extent())) * sizeof(T)));
  // a small input is read at most twice
  const Index enough = checked_multiply(2, points(plan.input_form.shape()));
  const auto start = Clock::now();
  const auto work = [&](std::size_t thread) {
    omp_set_num_threads(threads);
    try {
      do {
        const Box& box = boxes[next++ % boxes.size()];
        const Point extent = box.extent();
        input.read<T>(plan.input_form, box,
                      FieldView<T>{reinterpret_cast<T*>(memory[thread].get()), extent,
                                   extent[1] * extent[2], extent[2]},
                      plan.missing);
        read += points(extent);
      } while (seconds_since(start) < seconds && read < enough && !has_failed);
    } catch (...) {
      has_failed = true;
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(at_a_time));
  try {
    for (int i = 1; i < at_a_time; ++i) others.emplace_back(work, static_cast<std::size_t>(i));
  } catch (const std::exception&) {
    // continue with fewer threads
  }
  const int before = omp_get_max_threads();
  work(0);
  omp_set_num_threads(before);
  for (std::thread& other : others) other.join();
  if (has_failed) throw StorageError("cannot try the input");
  return double(read) / seconds_since(start);
}

/// Returns the fraction of the input that is read again for missing.keep, including bytes between
/// its points.
double share_of_kept(const Plan& plan) {
  if (!plan.kept) return 0;
  double share = 1;
  for (const AxisSelection& axis : plan.kept->input.selected)
    share *= static_cast<double>((axis.count - 1) * axis.step + 1);
  if (!plan.kept->input.selected.empty())
    share /= static_cast<double>(
        checked_multiply(points(plan.input_form.shape()), plan.input_form.volumes()));
  return share;
}

int outermost_axis(const Point& shape) {
  int axis = batch_axis;
  while (axis < x_axis && shape[axis] == 1) ++axis;
  return axis;
}

}  // namespace

Index spreading_step(Index count) {
  Index step = count * 5 / 8;
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

std::optional<StoragePrediction> predict_storage(const Session& session, const Plan& plan,
                                                 const SampleCost& cost) {
  if (plan.output.gzip_level > 0 || plan.output.snapshots || plan.passes() != nullptr)
    return std::nullopt;
  const Communicator& communicator = session.communicator();
  const int axis = outermost_axis(plan.input_form.shape());
  const Index slab = points(spread_slabs(plan, axis).front().extent()) * plan.compute_bytes();
  const Index needed =
      checked_multiply(plan.windows() ? plan.windows()->at_a_time : 1, slab) + writing_speed_bytes;
  if (communicator.maximum(Index{needed > cost.bytes}) > 0) return std::nullopt;
  double read = 0;
  WriteSpeed speed;
  communicator.barrier();
  try {
    communicator.agree([&] {
      read = plan.chain.precision == Precision::float64
                 ? reading_speed<double>(plan, axis, session.rank(), cost.seconds)
                 : reading_speed<float>(plan, axis, session.rank(), cost.seconds);
    });
    communicator.agree([&] {
      speed = measure_writing(plan.output.file, std::min(tried_bytes, plan.bytes_written),
                              cost.seconds);
    });
  } catch (const Error&) {  // thrown on all ranks
    return std::nullopt;
  }
  StoragePrediction prediction;
  prediction.read = double(points(plan.input_form.shape())) * double(plan.input_form.volumes()) /
                    communicator.sum(read) *
                    (1 + (plan.windows() ? plan.windows()->read_twice : 0) + share_of_kept(plan));
  prediction.write = double(plan.bytes_written) / communicator.sum(speed.write);
  if (plan.output.verify)
    prediction.read_back = double(plan.bytes_written) / communicator.sum(speed.read_back);
  return prediction;
}

double whole_seconds(const Plan& plan, const Prediction& computing,
                     const StoragePrediction& storage) {
  const double processors = storage.read + computing.seconds(),
               disk = storage.write + storage.read_back;
  const bool is_side_by_side = plan.windows() && plan.windows()->at_a_time > 1;
  return is_side_by_side ? std::max(processors, disk) : processors + disk;
}

bool is_worth_trying_storage(const Plan& plan) {
  // The prediction takes half a second, in which fast storage transfers several GiB.
  constexpr Index least_bytes = Index{32} << 30;
  return !plan.output.snapshots && plan.bytes_read / 2 + plan.bytes_written / 2 > least_bytes / 2;
}

}  // namespace stencil
