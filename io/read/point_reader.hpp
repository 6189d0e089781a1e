#pragma once

#include <cstddef>
#include <functional>

#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// Reads the points of a dataset unconverted, in its native element type. Several threads may read
/// at the same time.
class PointReader {
 public:
  virtual ~PointReader() = default;

  /// Receives n points, beginning with the k-th point of the hyperslab. Called from any thread;
  /// must not throw.
  using Take = std::function<void(const std::byte* points, Index k, Index n)>;

  /// Reads a hyperslab and passes every point to `take` once. @throws StorageError
  virtual void read(const Piece& whole, const Take& take) const = 0;

  /// Checks that the file, and the sources of a virtual dataset, have not changed since the probe.
  /// @throws StorageError
  virtual void check_unchanged() const = 0;
};

}  // namespace stencil::storage
