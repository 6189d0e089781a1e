#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "framework/grid/box.hpp"

namespace stencil {

/// Memory that is freed by the executor that allocated it; aligned to at least 64 bytes.
using Memory = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

/// A read-only view of a box of elements [batch, y, x] in any memory. Strides are in bytes and may
/// be negative: a mirrored row is the same rectangle read backwards.
struct ConstRectangle {
  const std::byte* origin = nullptr;  ///< element (0, 0, 0)
  Point extent{};                     ///< numbers of elements along batch, y, x
  Point stride{};                     ///< bytes from one element to the next along batch, y, x
};

/// Like ConstRectangle, but the elements may be written.
struct Rectangle {
  std::byte* origin = nullptr;
  Point extent{};
  Point stride{};

  operator ConstRectangle() const { return {origin, extent, stride}; }
};

/// A queue of work: calls on one lane run in the order of the calls; calls on different lanes run
/// at the same time unless `order` requires an order.
enum class Lane {
  work,      ///< kernels
  exchange,  ///< packing, sending and unpacking of halos, at higher priority than kernels
};

/// The memory of a backend, and the order of the work that uses this memory. Calls return as soon
/// as the work is queued. The executor does not compute stencils: kernels take views and run on the
/// processor whose memory the views refer to.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Name of the backend: `cpu` or `cuda`.
  virtual std::string name() const = 0;
  /// One line about the hardware for the plan and the report: threads, vector width, device.
  virtual std::string facts() const = 0;
  /// Returns whether the memory is host memory, which the file layer can read and write.
  virtual bool is_host() const = 0;
  /// Free memory of the device in bytes, shared by all processes that compute on the device;
  /// std::nullopt if the memory is host memory.
  virtual std::optional<Index> device_memory() const { return {}; }
  /// Identifies the device by host name and PCI bus id. The text is the same in all processes that
  /// compute on the device. Empty if the memory is host memory.
  virtual std::string device_id() const { return {}; }

  /// Returns another executor with the same memory and separate lanes, for another thread. Memory
  /// allocated by one executor may be used with the other. @throws MachineError
  virtual std::unique_ptr<Executor> sibling() const = 0;
  /// Each thread that uses the executor but did not create the executor must call this function
  /// before any other function of the executor.
  virtual void enter_thread() const {}

  /// Allocates memory for kernels.
  /// @throws MachineError  not enough memory; the message contains the number of bytes requested
  virtual Memory allocate(std::size_t bytes) = 0;
  /// Allocates memory for work on the work lane, without waiting for the device. Work on the other
  /// lane may also use the memory, if that work is ordered after this call and before the release
  /// of the memory. The release is part of the order of the work lane, and does not wait for the
  /// device either.
  /// @throws MachineError  see allocate()
  virtual Memory allocate_temporary(std::size_t bytes) { return allocate(bytes); }
  /// Allocates memory that both `copy` and the host (MPI, files) can access. Transfers to and from
  /// this memory are the fastest.
  virtual Memory allocate_shared(std::size_t bytes) = 0;
  /// Writes to every page of new memory, so that no kernel has to wait for page faults. The content
  /// of the memory is lost. Does nothing on devices whose pages are not allocated at the first
  /// access.
  virtual void touch(std::byte*, std::size_t) {}
  /// Copies elements one by one from a rectangle to another of the same extent, in memory of this
  /// executor or in shared memory; the rectangles must not overlap.
  virtual void copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                    Lane lane = Lane::work) = 0;
  /// Writes the element at `value` (host memory) into every element of the rectangle.
  virtual void fill(const Rectangle& to, const void* value, std::size_t element_size,
                    Lane lane = Lane::work) = 0;
  /// upload() copies from any host memory to memory of this executor, download() in the opposite
  /// direction. Rows must be contiguous on both sides. Both functions wait for work that was queued
  /// before, and return when the copy is complete.
  virtual void upload(const ConstRectangle& host, const Rectangle& to,
                      std::size_t element_size) = 0;
  virtual void download(const ConstRectangle& from, const Rectangle& host,
                        std::size_t element_size) = 0;

  /// Orders two lanes: work that is queued on `later` after this call waits for all work that was
  /// queued on `earlier` before this call.
  virtual void order(Lane earlier, Lane later) = 0;
  /// Orders the work lane after a stream of the caller, a cudaStream_t: work that is queued on the
  /// lane after this call waits for all work that was queued on the stream before this call. Does
  /// nothing if the executor's memory is host memory.
  virtual void order_after(void* stream) { (void)stream; }
  /// Orders a stream of the caller after the work lane: work that is queued on the stream after
  /// this call waits for all work that was queued on the lane before this call.
  virtual void order_before(void* stream) { (void)stream; }
  /// Waits until all work that was queued on one lane, or on all lanes, has finished.
  virtual void synchronize(Lane lane) = 0;
  virtual void synchronize() = 0;
  /// Marks the end of a step, and waits until at most 16 marked steps are unfinished. Without this
  /// limit a launch would block once the device's queue is full, and the watchdog
  /// (device/watchdog.hpp) would not notice that the device makes no progress.
  virtual void limit_queue_depth() {}

  /// The cudaStream_t of a lane, for kernels of the caller; null if the executor's memory is host
  /// memory.
  virtual void* native_stream(Lane) const { return nullptr; }

  /// Names all calls until `end_range` in a profiler's timeline; ranges may be nested.
  virtual void begin_range(const char*) {}
  virtual void end_range() {}
};

}  // namespace stencil
