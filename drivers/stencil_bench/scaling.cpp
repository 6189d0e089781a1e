#include "drivers/stencil_bench/scaling.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <random>

#include "drivers/config/kind_words.hpp"
#include "drivers/config/mask_words.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/kernel_of.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "io/probe.hpp"
#include "kernels/families/families.hpp"

namespace stencil::bench {
namespace {

using Words = std::map<std::string, std::string>;

Words words_of(int argc, char** argv) {
  Words words{{"side", "16384"},
              {"steps", "100"},
              {"per_sweep", "auto"},
              {"backend", "auto"},
              {"transport", "auto"},
              {"type", "float32"},
              {"mask", "0 0.1 0; 0.2 0.4 0.15; 0 0.1 0"},
              {"sigma", "auto"},
              {"scaling", "weak"}};
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const auto known = words.find(word.substr(0, equals));
    if (equals == word.npos || known == words.end())
      throw WordsError(fmt::format(
          "stencil_bench scaling {}: write side=N steps=N per_sweep=N backend=W transport=W type=W "
          "mask=W sigma=N scaling=W",
          word));
    known->second = word.substr(equals + 1);
  }
  return words;
}

Index number(const Words& words, const std::string& key) {
  const std::string& text = words.at(key);
  char* end = nullptr;
  const Index value = std::strtoll(text.c_str(), &end, 10);
  if (*end == 0 && value > 0) return value;
  throw WordsError(fmt::format("{} = {}: write a whole number above 0", key, text));
}

/// Returns the value that the keyword of a key denotes. If there is no such keyword, throws an
/// error that names the key.
template <class T>
T meaning(const Words& words, const std::string& key) {
  try {
    return meaning_of<T>(words.at(key));
  } catch (const BadValue& bad) {
    throw WordsError(fmt::format("{} = {}: {}", key, words.at(key), bad.what()));
  }
}

/// Parses the mask. If the text is invalid, throws an error that names the key.
MaskWords mask_words(const std::string& text) {
  try {
    return read_mask(text);
  } catch (const BadValue& bad) {
    throw WordsError(fmt::format("mask = {}: {}", text, bad.what()));
  }
}

Mask mask_of(const Words& words) {
  const MaskWords mask = mask_words(words.at("mask"));
  const bool is_gaussian = mask.family == find_family("gaussian");
  if (!is_gaussian && words.at("sigma") != "auto")
    throw WordsError(
        fmt::format("sigma = {}: only mask=gaussian has one: leave it out", words.at("sigma")));
  if (is_gaussian) {
    const double sigma = words.at("sigma") == "auto" ? 4.0 : double(number(words, "sigma"));
    const std::vector<double> taps = gaussian_taps(sigma, 0, 4);
    return Mask::outer(taps, taps);
  }
  if (mask.family != nullptr)
    throw WordsError(
        fmt::format("mask = {}: write taps, file.h5:/dataset, or gaussian", words.at("mask")));
  Taps taps{mask.height, mask.width, mask.values};
  bool is_grid = mask.rank == 2;
  if (mask.location) {
    const SmallArray array = read_small_array(mask.location.file, mask.location.dataset);
    if (!array.imaginary.empty()) throw WordsError("complex masks are not measured");
    if (!array.rows.empty())
      throw WordsError(fmt::format("mask = {} is a bank of filters: name one of them, such as [{}]",
                                   words.at("mask"), array.rows.front()));
    is_grid = array.dims.size() == 2;
    taps = {is_grid ? array.dims[0] : 1, array.dims.back(), array.values};
  }
  return is_grid ? Mask::grid(std::move(taps)) : Mask::line(std::move(taps.values));
}

Precision precision_of(const Words& words) {
  const std::string& type = words.at("type");
  if (type != "float32" && type != "float64")
    throw WordsError(fmt::format("type = {}: it is float32 or float64: use one of them", type));
  return type == "float64" ? Precision::float64 : Precision::float32;
}

bool is_strong(const Words& words) {
  const std::string& scaling = words.at("scaling");
  if (scaling != "weak" && scaling != "strong")
    throw WordsError(fmt::format("scaling = {}: it is weak or strong: use one of them", scaling));
  return scaling == "strong";
}

/// Returns the chain of a periodic grid that is split along y over `ranks` ranks: a square for each
/// rank, or one square in total.
Chain chain_of(const Words& words, Backend backend, int ranks) {
  const Index side = number(words, "side");
  Stage stage;
  stage.mask = mask_of(words);
  stage.boundary.rule.fill(BoundaryRule::wrap);
  stage.steps = number(words, "steps");
  const Point shape{1, is_strong(words) ? side : side * ranks, side};
  Chain chain = make_chain({stage}, shape, precision_of(words), backend);
  split(chain, Decomposition(shape, {1, ranks, 1}));
  BoundStage& only = chain.stages[0];
  if (words.at("per_sweep") != "auto") {
    only.steps_per_sweep = std::min(only.steps_per_sweep, number(words, "per_sweep"));
    only.halo = needed_halo(only);
  }
  if (only.steps < 2 * only.steps_per_sweep)
    throw WordsError(fmt::format(
        "steps = {}: the first sweep of {} steps is not timed: write steps = {} or more, or a "
        "smaller per_sweep",
        only.steps, only.steps_per_sweep, 2 * only.steps_per_sweep));
  return chain;
}

/// Returns the seconds per step on the slowest rank.
template <class T>
double seconds_per_step(const Session& session, Pipeline<T>& pipeline, const BoundStage& stage) {
  const Communicator& world = session.communicator();
  Executor& executor = session.executor();
  std::optional<Field<T>> made;
  world.agree([&] { made.emplace(pipeline.make_input()); });
  Field<T> field = std::move(*made);
  CpuExecutor host;
  Field<T> data(host, field.subdomain());
  const FieldView<T> view = data.ghosted();
#pragma omp parallel for schedule(static)
  for (Index y = 0; y < view.extent[1]; ++y) {
    std::minstd_rand random(static_cast<unsigned>(world.rank() * view.extent[1] + y + 1));
    for (Index x = 0; x < view.extent[2]; ++x)
      view.at(0, y, x) = static_cast<T>(random()) / static_cast<T>(random.max());
  }
  executor.upload(rectangle_of(view), rectangle_of(field.ghosted()), sizeof(T));
  double start = 0, end = 0;
  Index done = 0;
  // whole sweeps, because all steps of a sweep are computed together
  const Index fifth = std::max<Index>(1, stage.steps / 5), each = stage.steps_per_sweep;
  const Index warm_up = (fifth + each - 1) / each * each;
  pipeline.run(std::move(field), [&](Index) {
    if (++done == warm_up) {
      executor.synchronize();
      world.barrier();
      start = MPI_Wtime();
    }
    if (done == stage.steps) {  // the time is taken before the fields are freed, because freeing
                                // them takes as long as several steps
      executor.synchronize();
      end = MPI_Wtime();
    }
  });
  return world.maximum(end - start) / double(stage.steps - warm_up);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
void measure(Session& session, const Words& words) {
  const Communicator& world = session.communicator();
  Session self(MPI_COMM_SELF, session.executor());
  Chain alone, together;
  world.agree([&] {
    alone = chain_of(words, session.backend(), 1);
    together = chain_of(words, session.backend(), world.size());
  });
  std::vector<double> alone_seconds, together_seconds;
  for (int round = 0; round < 5; ++round) {
    {
      std::optional<Pipeline<T>> pipeline;
      // A session of one rank throws errors only on this rank, but the other ranks must throw them,
      // too.
      world.agree([&] { pipeline.emplace(self, alone); });
      alone_seconds.push_back(seconds_per_step<T>(session, *pipeline, alone.stages[0]));
    }
    Pipeline<T> pipeline(session, together);
    together_seconds.push_back(seconds_per_step<T>(session, pipeline, together.stages[0]));
  }
  if (world.rank() != 0) return;
  const double share = double(points(together.output_shape())) / world.size();
  const double each = double(points(alone.output_shape()));
  const TransportFacts transport = session.transport();
  fmt::print("{}, {} ranks, {} x {} points {}, {} steps, {} a sweep, {}, {}\n",
             session.executor().facts(), world.size(), words.at("side"), words.at("side"),
             is_strong(words) ? "in all" : "each", words.at("steps"),
             together.stages[0].steps_per_sweep, kernel_of(together, 0), words.at("type"));
  fmt::print("alone    {:.3f} ms a step, {:.1f} Gpt/s a rank\n", 1e3 * median(alone_seconds),
             each / median(alone_seconds) / 1e9);
  fmt::print("together {:.3f} ms a step, {:.1f} Gpt/s a rank, halos by {} ({})\n",
             1e3 * median(together_seconds), share / median(together_seconds) / 1e9, transport.name,
             transport.reason);
  fmt::print("{} scaling {:.4f}\n", words.at("scaling"),
             share / median(together_seconds) / (each / median(alone_seconds)));
}

}  // namespace

int measure_scaling(int argc, char** argv) {
  Words words;
  return run_guarded(
      argc, argv, [&] { words = words_of(argc, argv); },
      [&](const Communicator& world) {
        SessionOptions options;
        world.agree([&] {
          words = words_of(argc, argv);
          options.backend = meaning<Backend>(words, "backend");
          options.transport = meaning<TransportRequest>(words, "transport");
        });
        Session session(world.handle(), options);
        if (words.at("type") == "float64")
          measure<double>(session, words);
        else
          measure<float>(session, words);
      });
}

}  // namespace stencil::bench
