#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "framework/device/field.hpp"
#include "kernels/cpu/limits.hpp"

namespace stencil::bench {

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

/// What one call of the work moves and adds at least.
struct Work {
  double points = 0;  ///< of output
  double bytes = 0;   ///< to and from memory
  double adds = 0;    ///< fused multiply-adds
};

/// Bytes of the memory behind the owned points of two fields of one batch, as far as both reach.
template <class T>
Index bytes_to_copy(const Field<T>& from, const Field<T>& to) {
  const auto bytes_of = [](const FieldView<const T>& view) {
    return ((view.extent[1] - 1) * view.row_pitch + view.extent[2]) * Index{sizeof(T)};
  };
  return std::min(bytes_of(from.owned()), bytes_of(to.owned())) / 64 * 64;
}

/// Runs the work of a benchmark and a copy with streaming stores in turn, because the memory of a
/// shared machine is not equally fast from one second to the next, and sets the counters: Gpt/s,
/// the share of the binding limit, the share of multiply-adds, the copy's rate; of medians.
///
/// @param from  copied to `to`, as far as both reach: overwrites it
template <class T, class Call>
void run_beside_copy(benchmark::State& state, const Work& work, const Field<T>& from, Field<T>& to,
                     const Call& call) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
  };
  const Index copied = bytes_to_copy(from, to);
  const auto copy = [&] { streaming_copy(from.owned().data, to.owned().data, copied); };
  copy();
  std::vector<double> call_seconds, copy_seconds;
  for (auto _ : state) {
    const auto start = Clock::now();
    call();
    const auto done = Clock::now();
    copy();
    call_seconds.push_back(seconds(start, done));
    copy_seconds.push_back(seconds(done, Clock::now()));
    state.SetIterationTime(call_seconds.back());
  }
  const double each = median(call_seconds);
  const double copy_rate = 2 * double(copied) / median(copy_seconds);
  const double copy_limit = work.bytes / copy_rate;
  const double add_limit = work.adds / measure_multiply_adds<T>();
  state.counters["Gpt/s"] = work.points / each / 1e9;
  state.counters["share"] = std::max(copy_limit, add_limit) / each;
  state.counters["fma share"] = add_limit / each;
  state.counters["copy GB/s"] = copy_rate / 1e9;
}

}  // namespace stencil::bench
