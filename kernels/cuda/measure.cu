#include "kernels/cuda/measure.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/device_array.hpp"

namespace stencil::cuda {
namespace {

/// Fills an array with numbers that depend only on their index and the seed.
template <class T>
__global__ void fill_with_noise(T* data, Index count, unsigned seed) {
  const Index step = Index(gridDim.x) * blockDim.x;
  for (Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
    unsigned h = unsigned(k) * 2654435761u ^ unsigned(k >> 32) ^ seed * 40503u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    data[k] = T(h >> 8) / T(1 << 24) - T(0.5);
  }
}

template <class Word>
__global__ void count_words(const Word* a, const Word* b, Index ny, Index batch_pitch,
                            Index row_pitch, Index rows, Index columns,
                            unsigned long long* differing) {
  unsigned long long mine = 0;
  for (Index row = blockIdx.y; row < rows; row += gridDim.y) {
    const Index start = row / ny * batch_pitch + row % ny * row_pitch;
    for (Index x = Index(blockIdx.x) * blockDim.x + threadIdx.x; x < columns;
         x += Index(gridDim.x) * blockDim.x)
      mine += a[start + x] != b[start + x];
  }
  if (mine != 0) atomicAdd(differing, mine);
}

/// Keeps the GPU busy for a while, so that work that is queued meanwhile runs without gaps. Thus
/// the measured time of short work does not include the time in which it is queued.
__global__ void keep_busy(long nanoseconds) {
  long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// Two marks on a stream and the time between them.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double seconds_of(const std::function<void(CUstream_st*)>& order,
                    CUstream_st* stream = nullptr) const {
    float milliseconds = 0;
    check(cudaEventRecord(begin_, stream), "cudaEventRecord");
    order(stream);
    check(cudaEventRecord(end_, stream), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "the timed work");
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds / 1e3;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace

double seconds_on(CUstream_st* stream, const std::function<void()>& order) {
  return Stopwatch().seconds_of([&](CUstream_st*) { order(); }, stream);
}

double median_seconds(const std::function<void(CUstream_st*)>& order, int repeats) {
  const Stopwatch stopwatch;
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) {
    keep_busy<<<1, 1>>>(20000);
    seconds.push_back(stopwatch.seconds_of(order));
  }
  check_launch("keep_busy");
  std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
  return seconds[repeats / 2];
}

void copy_bytes(const void* from, void* to, std::size_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copy");
}

template <class T>
void fill_random(FieldView<T> view, unsigned seed) {
  if (points(view.extent) == 0) return;
  const T* last = &view.at(view.extent[0] - 1, view.extent[1] - 1, view.extent[2] - 1);
  fill_with_noise<<<4096, 256>>>(view.data, last + 1 - view.data, seed);
  check_launch("fill_with_noise");
  check(cudaDeviceSynchronize(), "filling with random numbers");
}

template <class T>
void lose_points(FieldView<T> view, Index every) {
  if (points(view.extent) == 0) return;
  const T* last = &view.at(view.extent[0] - 1, view.extent[1] - 1, view.extent[2] - 1);
  // a number with all bits set is a NaN
  check(cudaMemset2D(view.data, std::size_t(every) * sizeof(T), 0xff, sizeof(T),
                     std::size_t((last + 1 - view.data) / every)),
        "making points missing");
}

template <class T>
Index count_differing(FieldView<const T> a, FieldView<const T> b) {
  if (a.extent != b.extent || a.batch_pitch != b.batch_pitch || a.row_pitch != b.row_pitch)
    throw std::logic_error("comparison of views of two layouts");
  using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  unsigned long long differing = 0;
  DeviceArray counter(sizeof differing);
  counter.upload(&differing);
  const Index rows = a.extent[0] * a.extent[1];
  if (points(a.extent) == 0) return 0;
  count_words<<<dim3(256, unsigned(std::min<Index>(rows, 256))), 256>>>(
      reinterpret_cast<const Word*>(a.data), reinterpret_cast<const Word*>(b.data), a.extent[1],
      a.batch_pitch, a.row_pitch, rows, a.extent[2],
      static_cast<unsigned long long*>(counter.data()));
  check_launch("count_words");
  counter.download(&differing);
  return static_cast<Index>(differing);
}

template void fill_random(FieldView<float>, unsigned);
template void fill_random(FieldView<double>, unsigned);
template void lose_points(FieldView<float>, Index);
template void lose_points(FieldView<double>, Index);
template Index count_differing(FieldView<const float>, FieldView<const float>);
template Index count_differing(FieldView<const double>, FieldView<const double>);

}  // namespace stencil::cuda
