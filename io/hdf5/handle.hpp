#pragma once

#include <hdf5.h>

#include <utility>

namespace stencil::storage {

/// Returns the number of identifiers, except identifiers of files, that destructors of this process
/// have failed to close so far. Data written through these identifiers may be lost:
/// WritableFile::close() compares the result with an earlier result.
long failed_closes();

/// Owns one HDF5 identifier and closes it with the close function of its kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept { *this = std::move(other); }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  /// A failure is counted in failed_closes().
  ~Handle();

  /// Returns whether the identifier is valid.
  explicit operator bool() const { return id_ >= 0; }
  /// Conversion for the arguments of HDF5 functions.
  operator hid_t() const { return id_; }
  /// Closes the identifier. The result is negative on failure, in which case written data may be
  /// lost.
  [[nodiscard]] herr_t close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id >= 0 ? close_(id) : 0;
  }
  /// Releases ownership without closing the identifier.
  void release() { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

}  // namespace stencil::storage
