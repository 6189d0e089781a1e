#pragma once

#include "framework/device/cuda/check.hpp"
#include "framework/device/executor.hpp"

struct CUevent_st;  // cudaEvent_t and cudaStream_t, declared here so that no caller needs CUDA's
                    // headers
struct CUmemPoolHandle_st;  // cudaMemPool_t
struct CUstream_st;

namespace stencil::cuda {

/// One GPU: its memory, a stream for kernels and a stream of higher priority for halos.
class CudaExecutor : public Executor {
 public:
  /// @throws MachineError  the device cannot be used
  /// @throws WordsError    STENCIL_STALL_SECONDS is not a number of seconds
  explicit CudaExecutor(int device);
  ~CudaExecutor() override;
  CudaExecutor(const CudaExecutor&) = delete;
  CudaExecutor& operator=(const CudaExecutor&) = delete;

  std::string name() const override { return "cuda"; }
  std::string facts() const override;
  bool is_host() const override { return false; }
  std::optional<Index> device_memory() const override;
  std::string device_id() const override;
  std::unique_ptr<Executor> sibling() const override;
  void enter_thread() const override;
  Memory allocate(std::size_t bytes) override;
  Memory allocate_temporary(std::size_t bytes) override;
  /// Pinned host memory, which kernels of the device access over the bus.
  Memory allocate_shared(std::size_t bytes) override;
  void copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
            Lane lane = Lane::work) override;
  void fill(const Rectangle& to, const void* value, std::size_t element_size,
            Lane lane = Lane::work) override;
  void upload(const ConstRectangle& host, const Rectangle& to, std::size_t element_size) override;
  void download(const ConstRectangle& from, const Rectangle& host,
                std::size_t element_size) override;
  void order(Lane earlier, Lane later) override;
  void order_after(void* stream) override;
  void order_before(void* stream) override;
  void synchronize(Lane lane) override;
  void synchronize() override;
  void limit_queue_depth() override;
  /// Sets a function that is called about every 20 ms while the host waits for the device. The
  /// function may be empty. If the function throws an exception, for example because the device
  /// waits for a rank that has died, the wait ends.
  void while_waiting(std::function<void()> look) { look_ = std::move(look); }

  void* native_stream(Lane lane) const override { return stream(lane); }
  void begin_range(const char* name) override;
  void end_range() override;

  int device() const { return device_; }
  CUstream_st* stream(Lane lane) const { return streams_[static_cast<int>(lane)]; }

 private:
  struct Staging;
  Staging& staging();
  void wait_for(CUevent_st* mark) const;
  void wait_for(CUstream_st* stream) const;

  static constexpr int most_ahead = 16;  ///< largest number of unfinished steps; large enough that
                                         ///< kernels never wait for the host

  int device_;
  CUstream_st* streams_[2] = {};
  CUevent_st* event_ = nullptr;
  CUevent_st* marks_[most_ahead] = {};  ///< ring of events that mark the ends of steps
  int next_mark_ = 0;
  std::function<void()> look_;
  CUmemPoolHandle_st* pool_ = nullptr;  ///< created by the first temporary allocation
  std::unique_ptr<Staging> staging_;    ///< created by the first transfer
};

}  // namespace stencil::cuda
