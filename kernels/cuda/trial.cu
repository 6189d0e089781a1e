#include "kernels/cuda/trial.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil::cuda {
namespace {

constexpr int warm_ups = 3, repeats = 15;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw MachineError(std::string("GPU: ") + what + ": " + cudaGetErrorString(status));
}

/// Numbers in [-0.5, 0.5) that depend on their place alone (the finalizer of splitmix64).
template <class T>
__global__ void fill_random(T* data, Index n) {
  const Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= n) return;
  unsigned long long z = (k + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  data[k] = T(double((z ^ (z >> 31)) >> 40) / double(1 << 24) - 0.5);
}

/// Counts points with other bits. @param row_words, pitch  4-byte words of a row, and to the next
__global__ void count_differing(const unsigned* a, const unsigned* b, Index rows, Index row_words,
                                Index pitch, unsigned long long* differing) {
  unsigned long long mine = 0;
  for (Index row = blockIdx.y; row < rows; row += gridDim.y)
    for (Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x; k < row_words;
         k += Index(gridDim.x) * blockDim.x)
      mine += a[row * pitch + k] != b[row * pitch + k];
  if (mine != 0) atomicAdd(differing, mine);
}

/// Two marks on a stream and the time between them.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&start_), "no event");
    check(cudaEventCreate(&end_), "no event");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }

  double seconds_of(const std::function<void(CUstream_st*)>& work) const {
    float milliseconds = 0;
    check(cudaEventRecord(start_, nullptr), "event");
    work(nullptr);
    check(cudaEventRecord(end_, nullptr), "event");
    check(cudaEventSynchronize(end_), "a kernel failed");
    check(cudaEventElapsedTime(&milliseconds, start_, end_), "event");
    return milliseconds / 1e3;
  }

 private:
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

double median_of(const std::function<void(CUstream_st*)>& work) {
  const Stopwatch stopwatch;
  std::vector<double> seconds;
  for (int k = 0; k < warm_ups; ++k) stopwatch.seconds_of(work);
  for (int k = 0; k < repeats; ++k) seconds.push_back(stopwatch.seconds_of(work));
  std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
  return seconds[repeats / 2];
}

/// Memory for a field of `points` with `halo` ghosts; `memory` is what to free.
template <class T>
FieldView<T> allocate_field(const Point& points, const Halo& halo, T*& memory, std::size_t& bytes) {
  const Subdomain subdomain{make_box(points), halo};
  const FieldLayout layout = FieldLayout::of(subdomain, sizeof(T));
  const Point extent = subdomain.local_extent();
  bytes = layout.bytes;
  check(cudaMalloc(&memory, bytes), "not enough memory for the points");
  const Index n = Index(bytes / sizeof(T));
  fill_random<<<unsigned((n + 255) / 256), 256>>>(memory, n);
  check(cudaGetLastError(), "cannot fill the points");
  return {memory + layout.offset / Index(sizeof(T)), extent, layout.row_pitch * extent[1],
          layout.row_pitch};
}

}  // namespace

template <class T>
Trial<T>::Trial(const Stencil<T>& stencil, const Point& outputs) {
  try {
    allocate(stencil, outputs);
  } catch (...) {
    release();
    throw;
  }
}

template <class T>
void Trial<T>::allocate(const Stencil<T>& stencil, const Point& outputs) {
  Halo halo;
  halo.low = {0, stencil.height / 2, stencil.width / 2};
  halo.high = {0, stencil.height - 1 - halo.low[1], stencil.width - 1 - halo.low[2]};
  std::size_t source_bytes = 0;
  source_ = allocate_field<T>(outputs, halo, source_memory_, source_bytes);
  target_ = allocate_field<T>(outputs, {}, target_memory_, target_bytes_);
  check(cudaMalloc(&kept_, target_bytes_), "not enough memory for the outputs to compare with");
  check(cudaMalloc(&differing_, sizeof *differing_), "not enough memory");
  const std::size_t taps_bytes = stencil.taps.size() * sizeof(T);
  check(cudaMalloc(&taps_, taps_bytes), "not enough memory for the taps");
  check(cudaMemcpy(taps_, stencil.taps.data(), taps_bytes, cudaMemcpyHostToDevice), "copy");
}

template <class T>
void Trial<T>::release() {
  for (void* memory : {static_cast<void*>(taps_), static_cast<void*>(source_memory_),
                       static_cast<void*>(target_memory_), static_cast<void*>(kept_),
                       static_cast<void*>(differing_)})
    cudaFree(memory);
}

template <class T>
Trial<T>::~Trial() {
  release();
}

template <class T>
double Trial<T>::median_seconds(const std::function<void(CUstream_st*)>& work) const {
  check(cudaMemset(target_memory_, 0xFF, target_bytes_), "cannot clear the target");
  return median_of(work);
}

template <class T>
double Trial<T>::copy_bytes_per_second() const {
  // some pairs of addresses get in each other's way, so two pairs are tried
  const auto seconds_of = [this](T* to, const T* from) {
    return median_of([=, this](CUstream_st* stream) {
      check(cudaMemcpyAsync(to, from, target_bytes_, cudaMemcpyDeviceToDevice, stream), "copy");
    });
  };
  const double seconds =
      std::min(seconds_of(target_memory_, source_memory_), seconds_of(kept_, target_memory_));
  return 2.0 * double(target_bytes_) / seconds;
}

template <class T>
void Trial<T>::keep_target() const {
  check(cudaMemcpy(kept_, target_memory_, target_bytes_, cudaMemcpyDeviceToDevice), "copy");
}

template <class T>
bool Trial<T>::target_as_kept() const {
  const Index rows = target_.extent[0] * target_.extent[1], per_point = sizeof(T) / 4;
  unsigned long long differing = 0;
  check(cudaMemset(differing_, 0, sizeof differing), "cannot clear a counter");
  count_differing<<<dim3(256, unsigned(std::min<Index>(rows, 256))), 256>>>(
      reinterpret_cast<const unsigned*>(target_memory_), reinterpret_cast<const unsigned*>(kept_),
      rows, target_.extent[2] * per_point, target_.row_pitch * per_point, differing_);
  check(cudaGetLastError(), "cannot compare");
  check(cudaMemcpy(&differing, differing_, sizeof differing, cudaMemcpyDeviceToHost), "copy");
  return differing == 0;
}

template class Trial<float>;
template class Trial<double>;

}  // namespace stencil::cuda
