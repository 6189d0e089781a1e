#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "framework/grid/subdomain.hpp"

namespace stencil {

/// Memory that frees itself on the executor that gave it; aligned to 64 bytes at least.
using Memory = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

/// A rectangle of elements anywhere in memory. Strides are in bytes and may be negative: a mirrored
/// row is the same rectangle read backwards.
struct Rectangle {
  std::byte* origin = nullptr;  ///< element (0, 0, 0)
  Point extent{};               ///< elements along batch, y, x
  Point stride{};               ///< bytes from one element to the next along batch, y, x
};

/// How the ghosted box of a subdomain lies in memory.
struct FieldLayout {
  Index offset = 0;     ///< bytes from the start of the allocation to local point (0, 0, 0)
  Index row_pitch = 0;  ///< elements from row to row, a multiple of 64 bytes
  std::size_t bytes = 0;

  /// @throws ShapeError  the bytes do not fit into 64 bits.
  static FieldLayout of(const Subdomain& subdomain, std::size_t element_size);
};

/// Where memory lives and in which order work on it runs. Calls return as soon as the work is
/// ordered; work on one executor runs in the order of the calls; `synchronize` waits for all of it.
/// The stencil itself is not its concern: kernels take views and run where the views live.
class Executor {
 public:
  virtual ~Executor() = default;

  /// `cpu` or `cuda`.
  virtual std::string name() const = 0;
  /// One line about the hardware for the plan and the report: threads, vector width, device.
  virtual std::string facts() const = 0;

  /// @throws MachineError  not enough memory; the message names the bytes asked for.
  virtual Memory allocate(std::size_t bytes) = 0;
  /// Gets the pages of new memory from the system now, so that no kernel waits for them; what the
  /// memory holds is lost. Where the system does not hand out pages one by one it does nothing.
  virtual void touch(std::byte*, std::size_t) {}
  /// Copies elements one by one from rectangle to rectangle of the same extent; no overlap.
  virtual void copy(const Rectangle& from, const Rectangle& to, std::size_t element_size) = 0;
  /// Writes the element at `value` (host memory) into every place of the rectangle.
  virtual void fill(const Rectangle& to, const void* value, std::size_t element_size) = 0;
  virtual void synchronize() = 0;
};

/// The executor for a backend: `auto`, `cpu` or `cuda`. `auto` is the CPU until the CUDA executor
/// is there.
///
/// @throws WordsError  no such backend, or one that this build does not have.
std::unique_ptr<Executor> make_executor(const std::string& backend);

}  // namespace stencil
