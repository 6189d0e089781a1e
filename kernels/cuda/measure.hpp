#pragma once

#include <functional>

#include "framework/device/field_view.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Median of the seconds of `repeats` runs of the work that `order` queues on the stream, each
/// measured between two events on the GPU, which is kept busy while the work is queued.
///
/// @throws MachineError  the work failed
double median_seconds(const std::function<void(CUstream_st*)>& order, int repeats);

/// Seconds of the work that `order` puts on this stream, between two events on it.
///
/// @throws MachineError  the work failed
double seconds_on(CUstream_st* stream, const std::function<void()>& order);

/// Orders copies of `bytes` from one array on the current GPU to another one.
void copy_bytes(const void* from, void* to, std::size_t bytes, CUstream_st* stream);

/// Fills a view in device memory, including the gaps between its rows, with pseudo-random numbers
/// in [-0.5, 0.5). All are written when it returns.
template <class T>
void fill_random(FieldView<T> view, unsigned seed);

/// Sets every `every`-th element of a view in device memory to NaN, counting the gaps between its
/// rows.
template <class T>
void lose_points(FieldView<T> view, Index every);

/// How many points of two views of the same layout in device memory have other bits.
template <class T>
Index count_differing(FieldView<const T> a, FieldView<const T> b);

}  // namespace stencil::cuda
