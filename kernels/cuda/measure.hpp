#pragma once

#include <functional>

#include "framework/device/field_view.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Returns the median time in seconds of `repeats` runs of the work that `order` queues on the
/// stream. Each run is measured between two events. The GPU is kept busy while the work is queued.
///
/// @throws MachineError  the work failed
double median_seconds(const std::function<void(CUstream_st*)>& order, int repeats);

/// Returns the time in seconds of the work that `order` queues on this stream, measured between two
/// events on the stream.
///
/// @throws MachineError  the work failed
double seconds_on(CUstream_st* stream, const std::function<void()>& order);

/// Queues a copy of `bytes` bytes from one array on the current GPU to another one.
void copy_bytes(const void* from, void* to, std::size_t bytes, CUstream_st* stream);

/// Fills a view in device memory, including the gaps between its rows, with pseudo-random numbers
/// in [-0.5, 0.5). Waits until all numbers are written.
template <class T>
void fill_random(FieldView<T> view, unsigned seed);

/// Sets every `every`-th element of a view in device memory, including the gaps between its rows,
/// to NaN.
template <class T>
void lose_points(FieldView<T> view, Index every);

/// Number of points whose bits differ between two views of the same layout in device memory.
template <class T>
Index count_differing(FieldView<const T> a, FieldView<const T> b);

}  // namespace stencil::cuda
