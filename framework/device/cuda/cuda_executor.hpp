#pragma once

#include "framework/device/executor.hpp"

struct CUevent_st;  // cudaEvent_t and cudaStream_t, so that no caller needs CUDA's headers
struct CUstream_st;

namespace stencil::cuda {

/// Throws for a CUDA status other than success.
/// @throws MachineError  `what` and CUDA's own words
void check(int status, const char* what);

/// Devices that this process sees; 0 without a driver.
int device_count();

/// One GPU: its memory, a stream for kernels and one of higher priority for halos.
class CudaExecutor : public Executor {
 public:
  /// @param sharing  processes of the job that use the same device, this one included
  /// @throws MachineError  the device cannot be used
  explicit CudaExecutor(int device, int sharing = 1);
  ~CudaExecutor() override;
  CudaExecutor(const CudaExecutor&) = delete;
  CudaExecutor& operator=(const CudaExecutor&) = delete;

  std::string name() const override { return "cuda"; }
  std::string facts() const override;
  bool is_host() const override { return false; }
  std::optional<Index> device_memory() const override;
  Memory allocate(std::size_t bytes) override;
  /// Pinned host memory, which kernels of the device reach over the bus.
  Memory allocate_shared(std::size_t bytes) override;
  void copy(const Rectangle& from, const Rectangle& to, std::size_t element_size,
            Lane lane = Lane::work) override;
  void fill(const Rectangle& to, const void* value, std::size_t element_size,
            Lane lane = Lane::work) override;
  void upload(const Rectangle& host, const Rectangle& to, std::size_t element_size) override;
  void download(const Rectangle& from, const Rectangle& host, std::size_t element_size) override;
  void order(Lane earlier, Lane later) override;
  void synchronize(Lane lane) override;
  void synchronize() override;

  void begin_range(const char* name) override;
  void end_range() override;

  int device() const { return device_; }
  CUstream_st* stream(Lane lane) const { return streams_[static_cast<int>(lane)]; }

 private:
  struct Staging;
  Staging& staging();

  int device_, sharing_;
  CUstream_st* streams_[2] = {};
  CUevent_st* event_ = nullptr;
  std::unique_ptr<Staging> staging_;  ///< made by the first transfer
};

}  // namespace stencil::cuda
