#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "framework/grid/box.hpp"

namespace stencil {

/// Memory that frees itself on the executor that gave it; aligned to 64 bytes at least.
using Memory = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

/// A rectangle of elements anywhere in memory, which are only read. Strides are in bytes and may be
/// negative: a mirrored row is the same rectangle read backwards.
struct ConstRectangle {
  const std::byte* origin = nullptr;  ///< element (0, 0, 0)
  Point extent{};                     ///< elements along batch, y, x
  Point stride{};                     ///< bytes from one element to the next along batch, y, x
};

/// The same of elements that may be written.
struct Rectangle {
  std::byte* origin = nullptr;
  Point extent{};
  Point stride{};

  operator ConstRectangle() const { return {origin, extent, stride}; }
};

/// A line of work: calls on one lane run in the order of the calls, those of different lanes at the
/// same time unless `order` says otherwise.
enum class Lane {
  work,      ///< kernels
  exchange,  ///< packing, sending and unpacking of halos, at higher priority than kernels
};

/// Where memory lives and in which order work on it runs. Calls return as soon as the work is
/// ordered. The stencil itself is not its concern: kernels take views and run where the views live.
class Executor {
 public:
  virtual ~Executor() = default;

  /// `cpu` or `cuda`.
  virtual std::string name() const = 0;
  /// One line about the hardware for the plan and the report: threads, vector width, device.
  virtual std::string facts() const = 0;
  /// Whether its memory is the host's own, which the file layer can fill and read.
  virtual bool is_host() const = 0;
  /// Bytes that are free on the device, for all processes that compute on it; nothing where memory
  /// is the host's.
  virtual std::optional<Index> device_memory() const { return {}; }
  /// Identifies the device, equally in all processes that compute on it: host name and PCI bus id.
  /// Empty where memory is the host's.
  virtual std::string device_id() const { return {}; }

  /// Another executor on the same memory, with lanes of its own: for another thread. Memory of one
  /// may be used with the other. @throws MachineError
  virtual std::unique_ptr<Executor> sibling() const = 0;
  /// To be called first in a thread that uses the executor and has not made it.
  virtual void enter_thread() const {}

  /// @throws MachineError  not enough memory; the message names the bytes asked for.
  virtual Memory allocate(std::size_t bytes) = 0;
  /// Memory that both `copy` and the host (MPI, files) reach; transfers to and from it are fastest.
  virtual Memory allocate_shared(std::size_t bytes) = 0;
  /// Touches every page of new memory now, so that no kernel has to wait for page faults;
  /// overwrites the memory. Does nothing where pages are not allocated on first touch.
  virtual void touch(std::byte*, std::size_t) {}
  /// Copies elements one by one from rectangle to rectangle of the same extent, of this executor's
  /// or of shared memory; no overlap.
  virtual void copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                    Lane lane = Lane::work) = 0;
  /// Writes the element at `value` (host memory) into every element of the rectangle.
  virtual void fill(const Rectangle& to, const void* value, std::size_t element_size,
                    Lane lane = Lane::work) = 0;
  /// Copies between any host memory and this executor's, rows contiguous on both sides. Waits for
  /// the work ordered before; done when it returns.
  virtual void upload(const ConstRectangle& host, const Rectangle& to,
                      std::size_t element_size) = 0;
  virtual void download(const ConstRectangle& from, const Rectangle& host,
                        std::size_t element_size) = 0;

  /// Work ordered on `later` from now on waits for all ordered on `earlier` until now.
  virtual void order(Lane earlier, Lane later) = 0;
  /// Waits for one lane, or for all.
  virtual void synchronize(Lane lane) = 0;
  virtual void synchronize() = 0;
  /// Marks the end of a step, and waits until at most 16 marked steps are unfinished. Without this
  /// limit a launch would block once the device's queue is full, where the watchdog
  /// (device/watchdog.hpp) cannot notice that the device makes no progress.
  virtual void limit_queue_depth() {}

  /// The cudaStream_t of a lane, for kernels of the caller's own; null where memory is the host's.
  virtual void* native_stream(Lane) const { return nullptr; }

  /// Names what the calls until `end_range` belong to, for a profiler's timeline; nests.
  virtual void begin_range(const char*) {}
  virtual void end_range() {}
};

}  // namespace stencil
