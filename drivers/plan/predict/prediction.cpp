#include "drivers/plan/predict/prediction.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/fused_lines.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/pipeline/window_pipeline.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "drivers/plan/predict/sample_chain.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil {
namespace {

/// Returns a number of points that is much larger than the caches of the cores that share the work.
Index beyond_caches() {
  constexpr Index per_thread = Index{1} << 22;
  return std::clamp(per_thread * omp_get_max_threads(), 2 * per_thread, 8 * per_thread);
}

/// Fills a view with irregular numbers of both signs, because some processors compute faster with
/// zeros.
template <class T>
void fill_with_noise(const FieldView<T>& view) {
#pragma omp parallel for collapse(3) schedule(static)
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x) {
        const auto mixed = static_cast<std::uint32_t>((b * 7919 + y) * 104729 + x) * 2654435761u;
        view.at(b, y, x) = T(mixed >> 8) / T(1 << 24) - T(0.5);
      }
}

template <class T>
void fill_with_noise(Field<T>& field, Executor& executor) {
  if (executor.is_host()) return fill_with_noise(field.owned());
  CpuExecutor host;
  Field<T> noise(host, {field.subdomain().owned, {}});
  fill_with_noise(noise.owned());
  executor.upload(rectangle_of(noise.owned()), rectangle_of(field.owned()), sizeof(T));
}

/// Runs single stages for a short time, simultaneously on all ranks, and measures the time.
template <class T>
class Sampler {
 public:
  Sampler(const Session& session, Index bytes)
      : communicator_(session.communicator()),
        executor_(session.executor()),
        alone_(MPI_COMM_SELF, session.executor()),
        bytes_(bytes) {}

  /// Returns the computing time of the slowest rank, in seconds. @throws Error  on all ranks: the
  /// memory is insufficient
  double seconds_of(const Chain& sample) {
    if (sample.stages.size() > 1) return seconds_of_lines(sample);
    std::optional<Pipeline<T>> pipeline;
    std::optional<Field<T>> field;
    communicator_.agree([&] {
      require_room(sample);
      pipeline.emplace(alone_, sample);
      field.emplace(pipeline->make_input());
      fill_with_noise(*field, executor_);
    });
    communicator_.barrier();
    communicator_.agree([&] { pipeline->run(std::move(*field), [](Index) {}); });
    return communicator_.maximum(pipeline->times().compute);
  }

 private:
  /// @param sample  a single stage, or the stages of one pass
  void require_room(const Chain& sample) const {
    const Index element = size_of(sample.precision);
    const auto lines = fuse_lines(sample.stages, 0);
    BoundStage stage = lines.value_or(sample.stages[0]);
    if (lines) stage.halo = nominal_halo(stage);  // ghost points along all axes
    const Index scratch = lines                 ? lines_scratch_bytes(stage, element)
                          : executor_.is_host() ? scratch_bytes(stage, element)
                                                : 0;
    if (checked_add(stage_field_bytes(stage, {}, element), scratch) > bytes_)
      throw MemoryError("not enough memory for the prediction");
  }

  /// Returns the time of stages that are computed in one pass.
  double seconds_of_lines(const Chain& sample) {
    std::optional<WindowPipeline<T>> pipeline;
    const auto run = [&] {
      pipeline->run({0, sample.output_shape()[batch_axis]},
                    [](const Box&, FieldView<T> points) { fill_with_noise(points); });
      const auto& seconds = pipeline->stage_seconds();
      return std::accumulate(seconds.begin(), seconds.end(), 0.0);
    };
    double first = 0, both = 0;
    communicator_.agree([&] {
      require_room(sample);
      pipeline.emplace(executor_, sample, batch_axis);
      first = run();  // includes the time for new memory, which windows use again
    });
    communicator_.barrier();
    communicator_.agree([&] { both = run(); });
    return communicator_.maximum(both - first);
  }

  const Communicator& communicator_;
  Executor& executor_;
  Session alone_;
  Index bytes_;
};

/// A stage of a chain, or stages that are computed in one pass.
struct Part {
  std::size_t first = 0;
  std::optional<BoundStage> lines{};  ///< the result of fuse_lines() for several stages

  std::size_t count() const { return lines ? lines_of_pass : 1; }
};

std::vector<Part> parts_of(const Chain& chain, bool is_in_windows) {
  const bool fuses = is_in_windows && chain.backend != Backend::cuda;
  std::vector<Part> parts;
  for (std::size_t k = 0; k < chain.stages.size(); k += parts.back().count())
    parts.push_back({k, fuses ? fuse_lines(chain.stages, k) : std::nullopt});
  return parts;
}

/// Returns the multiply-adds per output point of all stages of a part.
double adds_of(const Chain& chain, const Part& part) {
  double adds = 0;
  for (std::size_t k = 0; k < part.count(); ++k)
    adds += chain.stages[part.first + k].adds_per_point();
  return adds;
}

/// A sample of a part. Its time is set if the sample takes so long that it is not run again.
struct Sample {
  Chain chain;
  std::optional<double> seconds{};
};

/// Returns a sample of a part that takes about the given time. The sample has as many points as the
/// time allows, but at least enough to keep all threads busy, and no more than are needed to exceed
/// the caches clearly.
template <class T>
Sample sample_of(Sampler<T>& sampler, const Chain& chain, const Part& part, double each) {
  const BoundStage& stage = chain.stages[part.first];
  const auto sample_with = [&](Index most) {
    return part.lines ? sample_lines(chain, part.first, *part.lines, most)
                      : sample_chain(chain, part.first, most);
  };
  constexpr double first_work = 2e8;  // multiply-adds: a few milliseconds
  // Outputs per input: several if filters or channels share an input, less than one with a stride.
  const double outputs = double(points(stage.output.shape())) /
                         double(std::max<Index>(1, points(stage.input.shape())));
  const double work =
      adds_of(chain, part) * double(std::min<Index>(stage.steps, 16)) * std::max(outputs, 1e-3);
  const Index least = checked_multiply(omp_get_max_threads(), sample_of_a_thread(stage));
  const Index few =
      std::max(least, std::clamp<Index>(Index(first_work / std::max(1.0, work)), 1 << 10, 1 << 18));
  Sample sample{sample_with(few)};
  // The first run starts the threads. Of the other runs, the shortest time is used: a run that
  // waits for a busy core would make the sample too small for all repetitions.
  const double first = sampler.seconds_of(sample.chain);
  double seconds = first, spent = first;
  for (int i = 0; i < 3 && spent < 10 * each; ++i) {
    const double again = sampler.seconds_of(sample.chain);
    seconds = i == 0 ? again : std::min(seconds, again);
    spent += again;
  }
  if (spent >= 10 * each) {
    sample.seconds = seconds;
    return sample;
  }
  const double most = double(beyond_caches()) / std::max(1.0, outputs);
  const double wanted = double(few) * each / std::max(1e-9, seconds);
  return {sample_with(std::max(few, Index(std::min(most, wanted))))};
}

double median(std::vector<double> seconds) {
  const auto middle = seconds.begin() + std::ssize(seconds) / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// The repetitions alternate between the parts, so that a core that is temporarily busy affects
/// one run of each part and not all runs of one part.
template <class T>
Prediction predict_typed(const Session& session, const Problem& problem, const SampleCost& cost,
                         bool is_in_windows) {
  const Chain& chain = problem.chain;
  Sampler<T> sampler(session, cost.bytes);
  const std::vector<Part> parts = parts_of(chain, is_in_windows);
  const double each = cost.seconds / double(parts.size()) / (cost.repetitions + 1);
  std::vector<Sample> samples;
  for (const Part& part : parts) samples.push_back(sample_of(sampler, chain, part, each));
  std::vector<std::vector<double>> seconds(parts.size());
  for (int n = 0; n < cost.repetitions; ++n)
    for (std::size_t i = 0; i < parts.size(); ++i)
      seconds[i].push_back(samples[i].seconds ? *samples[i].seconds
                                              : sampler.seconds_of(samples[i].chain));
  Prediction prediction;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const double all = median(seconds[i]) * double(problem.input_form.volumes()) *
                       times_sample(chain.stages[part.first], samples[i].chain.stages[0]);
    for (std::size_t k = part.first; k < part.first + part.count(); ++k)
      prediction.stage_seconds.push_back(all * chain.stages[k].adds_per_point() /
                                         adds_of(chain, part));
  }
  return prediction;
}

}  // namespace

double Prediction::seconds() const {
  return std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0);
}

std::optional<Prediction> predict(const Session& session, const Problem& problem,
                                  const SampleCost& cost, bool is_in_windows) {
  try {
    if (problem.chain.precision == Precision::float64)
      return predict_typed<double>(session, problem, cost, is_in_windows);
    return predict_typed<float>(session, problem, cost, is_in_windows);
  } catch (const Error& error) {  // thrown on all ranks
    if (!error.lacks_memory()) throw;
    return std::nullopt;
  }
}

bool is_worth_predicting(const Problem& problem) {
  const double ranks = problem.chain.stages.front().input.blocks();
  return limit_seconds(problem, {5e9 * ranks, 20e9 * ranks}) > 3;
}

}  // namespace stencil
