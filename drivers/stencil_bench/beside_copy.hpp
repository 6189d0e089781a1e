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

/// The least data transfer and arithmetic that one call of a benchmarked function needs.
struct Work {
  double points = 0;  ///< output points
  double bytes = 0;   ///< transferred from and to memory
  double adds = 0;    ///< fused multiply-adds
};

/// Returns the bytes from the first to the last owned point, in the smaller of two fields.
template <class T>
Index bytes_to_copy(const Field<T>& from, const Field<T>& to) {
  const auto bytes_of = [](const FieldView<const T>& view) {
    return ((view.extent[0] - 1) * view.batch_pitch + (view.extent[1] - 1) * view.row_pitch +
            view.extent[2]) *
           Index{sizeof(T)};
  };
  return std::min(bytes_of(from.owned()), bytes_of(to.owned())) / 64 * 64;
}

/// Runs the work of a benchmark alternately with a copy by streaming stores, because the memory
/// bandwidth of a shared machine varies from second to second. Sets counters from medians: Gpt/s,
/// the fraction of the limiting rate, the fraction of the multiply-add rate, and the rate of the
/// copy.
///
/// @param from  the field that is copied to `to`, up to the smaller of the two sizes; `to` is
///              overwritten
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
