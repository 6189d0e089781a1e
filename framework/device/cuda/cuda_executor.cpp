#include "framework/device/cuda/cuda_executor.hpp"

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "framework/device/cuda/device_facts.hpp"
#include "framework/device/cuda/rectangles.hpp"
#include "framework/device/cuda/staging.hpp"
#include "framework/device/watchdog.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda {

struct CudaExecutor::Staging : PinnedStaging {
  using PinnedStaging::PinnedStaging;
};

CudaExecutor::CudaExecutor(int device) : device_(device) {
  stall_seconds();  // throws if the variable has an invalid value, before any work begins
  check(cudaSetDevice(device), "taking the GPU");
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "asking for stream priorities");
  check(cudaStreamCreateWithPriority(&streams_[0], cudaStreamNonBlocking, lowest),
        "making a stream");
  check(cudaStreamCreateWithPriority(&streams_[1], cudaStreamNonBlocking, highest),
        "making a stream");
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event");
  for (CUevent_st*& mark : marks_)
    check(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming), "making an event");
}

CudaExecutor::~CudaExecutor() {
  staging_.reset();
  if (pool_ != nullptr) cudaMemPoolDestroy(pool_);  // after the last temporary memory is free
  cudaEventDestroy(event_);
  for (CUevent_st* mark : marks_) cudaEventDestroy(mark);
  for (CUstream_st* stream : streams_) cudaStreamDestroy(stream);
}

std::string CudaExecutor::facts() const {
  return device_facts(device_) + ", " + in_gibibytes(*device_memory()) + " free";
}

std::optional<Index> CudaExecutor::device_memory() const {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the GPU's free memory");
  return static_cast<Index>(free);
}

std::string CudaExecutor::device_id() const {
  char host[128] = {}, bus[32] = {};
  ::gethostname(host, sizeof host - 1);
  check(cudaDeviceGetPCIBusId(bus, sizeof bus, device_), "asking for the GPU's bus id");
  return std::string(host) + ' ' + bus;
}

std::unique_ptr<Executor> CudaExecutor::sibling() const {
  return std::make_unique<CudaExecutor>(device_);
}

void CudaExecutor::enter_thread() const {
  check(cudaSetDevice(device_), "taking the GPU");
}

Memory CudaExecutor::allocate(std::size_t bytes) {
  if (bytes == 0) return {nullptr, [](std::byte*) {}};
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocation of " + std::to_string(bytes) + " bytes");
  return {static_cast<std::byte*>(memory), [](std::byte* p) { cudaFree(p); }};
}

namespace {

/// Number of bytes of freed memory that a pool keeps for later allocations. When the host next
/// waits for the device, the pool returns all freed memory above this size to the system.
constexpr std::uint64_t kept_bytes = std::uint64_t{64} << 20;

cudaMemPool_t make_pool(int device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;  // the only type that CUDA has
  properties.location = {.type = cudaMemLocationTypeDevice, .id = device};
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "making a pool of memory");
  std::uint64_t kept = kept_bytes;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
        "making a pool of memory");
  return pool;
}

}  // namespace

Memory CudaExecutor::allocate_temporary(std::size_t bytes) {
  if (bytes == 0) return {nullptr, [](std::byte*) {}};
  if (pool_ == nullptr) pool_ = make_pool(device_);
  CUstream_st* const lane = stream(Lane::work);
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pool_, lane),
        "allocation of " + std::to_string(bytes) + " bytes");
  return {static_cast<std::byte*>(memory), [lane](std::byte* p) { cudaFreeAsync(p, lane); }};
}

Memory CudaExecutor::allocate_shared(std::size_t bytes) {
  if (bytes == 0) return {nullptr, [](std::byte*) {}};
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped),
        "allocation of " + std::to_string(bytes) + " bytes of pinned host memory");
  return {static_cast<std::byte*>(memory), [](std::byte* p) { cudaFreeHost(p); }};
}

void CudaExecutor::copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                        Lane lane) {
  copy_rectangle(from, to, element_size, stream(lane));
}

void CudaExecutor::fill(const Rectangle& to, const void* value, std::size_t element_size,
                        Lane lane) {
  fill_rectangle(to, value, element_size, stream(lane));
}

CudaExecutor::Staging& CudaExecutor::staging() {
  if (!staging_) staging_ = std::make_unique<Staging>();
  return *staging_;
}

namespace {

/// Returns whether a transfer does not need the executor's pinned memory.
bool goes_directly(const ConstRectangle& host, std::size_t element_size) {
  const Index bytes = checked_multiply(points(host.extent), static_cast<Index>(element_size));
  return bytes <= small_transfer_bytes || is_pinned(host.origin);
}

}  // namespace

void CudaExecutor::upload(const ConstRectangle& host, const Rectangle& to,
                          std::size_t element_size) {
  synchronize();
  if (goes_directly(host, element_size))
    upload_directly(host, to, element_size, stream(Lane::work));
  else
    staging().upload(host, to, element_size, stream(Lane::work));
}

void CudaExecutor::download(const ConstRectangle& from, const Rectangle& host,
                            std::size_t element_size) {
  synchronize();
  if (goes_directly(host, element_size))
    download_directly(from, host, element_size, stream(Lane::work));
  else
    staging().download(from, host, element_size, stream(Lane::work));
}

void CudaExecutor::order(Lane earlier, Lane later) {
  // one event is enough: cudaStreamWaitEvent waits for the last cudaEventRecord that was called
  // before it
  check(cudaEventRecord(event_, stream(earlier)), "ordering work");
  check(cudaStreamWaitEvent(stream(later), event_, 0), "ordering work");
}

void CudaExecutor::order_after(void* stream) {
  check(cudaEventRecord(event_, static_cast<CUstream_st*>(stream)), "ordering work");
  check(cudaStreamWaitEvent(this->stream(Lane::work), event_, 0), "ordering work");
}

void CudaExecutor::order_before(void* stream) {
  check(cudaEventRecord(event_, this->stream(Lane::work)), "ordering work");
  check(cudaStreamWaitEvent(static_cast<CUstream_st*>(stream), event_, 0), "ordering work");
}

namespace {

/// Returns whether the queried work has finished. @throws MachineError  the work failed
bool is_over(cudaError_t status) {
  if (status == cudaErrorNotReady) {
    (void)cudaGetLastError();  // clears the error: the next launch would report it otherwise
    return false;
  }
  check(status, "running kernels");
  return true;
}

}  // namespace

void CudaExecutor::wait_for(CUevent_st* mark) const {
  wait_until([&] { return is_over(cudaEventQuery(mark)); }, look_);
}

void CudaExecutor::wait_for(CUstream_st* stream) const {
  wait_until([&] { return is_over(cudaStreamQuery(stream)); }, look_);
}

void CudaExecutor::synchronize(Lane lane) {
  wait_for(stream(lane));
}

void CudaExecutor::synchronize() {
  // waits for one step at a time, because the watchdog measures each wait separately
  for (int k = 0; k < most_ahead; ++k) wait_for(marks_[(next_mark_ + k) % most_ahead]);
  for (CUstream_st* stream : streams_) wait_for(stream);
}

void CudaExecutor::limit_queue_depth() {
  CUevent_st* mark = marks_[next_mark_];
  next_mark_ = (next_mark_ + 1) % most_ahead;
  wait_for(mark);
  check(cudaEventRecord(mark, stream(Lane::work)), "ordering work");
}

void CudaExecutor::begin_range(const char* name) {
  nvtxRangePushA(name);
}

void CudaExecutor::end_range() {
  nvtxRangePop();
}

}  // namespace stencil::cuda
